// The worst that one request of each kind can ask of a service, by the world it is asked in.
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';

const FLAVOR = { name: 'm1.small', vcpus: 1, memory_mb: 64, root_gb: 1 };
const OWNER = { project_id: 'bench', user_id: 'bench' };
const INSTANCE = { flavor: FLAVOR, ...OWNER };

const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);
const groups = (count, amount, rest) =>
  `/allocation_candidates?${numbers(count)
    .map((group) => `resources${group}=SRIOV_NET_VF:${amount}`)
    .join('&')}${rest}`;
const subtree = (count) => `&group_policy=isolate&limit=1&same_subtree=${numbers(count).map((at) => `_${at}`)}`;
const named = (count, rest) => groups(count, 1, rest).replaceAll(/resources(\d+)/g, 'resources_$1');
const get = (path) => (client) => client.send('GET', path);
const post = (path, body) => (client, made) =>
  client.send('POST', path, typeof body === 'function' ? body(made) : body);

/** So many connections ask and read nothing for so long; answers how many were refused or cut off meanwhile. */
async function unread(path, connections, ms, { url }) {
  const sockets = numbers(connections).map(() => {
    const socket = net.connect(Number(url.port), url.hostname);
    socket.on('error', () => undefined);
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: x\r\nx-auth-token: admin\r\nopenstack-api-version: placement 1.36\r\n\r\n`,
    );
    return socket.pause();
  });
  await pause(ms);
  for (const socket of sockets) socket.destroy();
  return { status: 'unread', bytes: 0, text: () => '' };
}

function reshape({ providers }) {
  const some = providers.slice(0, 1_500);
  const record = { total: 64 };
  return {
    inventories: Object.fromEntries(
      some.map(({ uuid }) => [
        uuid,
        {
          resource_provider_generation: 0,
          inventories: { VCPU: record, MEMORY_MB: { total: 131_072 }, DISK_GB: { total: 2_000 } },
        },
      ]),
    ),
    allocations: Object.fromEntries(
      some.map(({ uuid }) => [
        randomUUID(),
        { allocations: { [uuid]: { resources: { VCPU: 1 } } }, ...OWNER, consumer_generation: null },
      ]),
    ),
  };
}

const manyAllocations = ({ providers }) =>
  Object.fromEntries(
    numbers(10_000).map((at) => {
      const { uuid } = providers[at % providers.length];
      return [
        randomUUID(),
        {
          allocations: { [uuid]: { resources: { VCPU: 1, MEMORY_MB: 1, DISK_GB: 1 } } },
          ...OWNER,
          consumer_generation: null,
        },
      ];
    }),
  );

const simulated = (hosts, instances) => ({
  providers: numbers(hosts).map((at) => ({
    ...{
      name: `host-${at}`,
      inventories: { VCPU: { total: 64 }, MEMORY_MB: { total: 131_072 }, DISK_GB: { total: 4_000 } },
    },
  })),
  request: { ...INSTANCE, num_instances: instances },
});

/** A body of about ten megabytes that breaks the schema behind its last entry. */
const tenMegabytes = () => ({
  ...Object.fromEntries(numbers(110_000).map((at) => [`${at}`.padStart(60, 'k'), { at, of: 'what is sent' }])),
});

export const WAITS = [
  {
    world: 'siblings',
    hosts: 1,
    cases: [
      ['search, same_subtree, 3 groups', get(named(3, subtree(3)))],
      ['search, same_subtree, 24 groups', get(named(24, subtree(24)))],
      ['explanation, same_subtree, 24 groups', get(named(24, subtree(24)).replace('?', '/explain?'))],
    ],
  },
  {
    world: 'wide',
    hosts: 60,
    cases: [
      ['search, 16 groups, limit 1', get(groups(16, 5, '&group_policy=none&limit=1'))],
      ['search, 6 groups, no limit', get(groups(6, 1, '&group_policy=none'))],
      ['search, 17 groups, no limit', get(groups(17, 1, '&group_policy=none'))],
      [
        '24 connections that do not read, 10 s',
        (client) => unread(groups(6, 1, '&group_policy=none'), 24, 10_000, client),
      ],
    ],
  },
  {
    world: 'broad',
    hosts: 1,
    cases: [
      ['search, 24 groups, no limit', get(groups(24, 1, '&group_policy=none'))],
      ['explanation, 24 groups', get(groups(24, 1, '&group_policy=none').replace('?', '/explain?'))],
    ],
  },
  {
    world: 'flat',
    hosts: 2_000,
    cases: [
      ['list of 2 000 providers', get('/resource_providers')],
      [
        'dry run of 1 000',
        post('/scheduler/select_destinations', { ...INSTANCE, num_instances: 1_000, dry_run: true }),
      ],
      ['batch of 2 000', post('/scheduler/select_destinations', { ...INSTANCE, num_instances: 2_000 })],
      ['explanation of 1 000', post('/scheduler/explain', { ...INSTANCE, num_instances: 1_000 })],
      ['capacity, up to 100 000', post('/scheduler/capacity', { ...INSTANCE, max_instances: 100_000 })],
      ['simulation, 2 000 hosts, 1 000 instances', post('/scheduler/simulate', simulated(2_000, 1_000))],
      ['reshaper, 1 500 providers', post('/reshaper', reshape)],
      ['POST /allocations, 10 000 consumers', post('/allocations', manyAllocations)],
      ['a search behind that', get('/allocation_candidates?resources=VCPU:1&limit=1')],
      ['a body of 10 MB that is refused', post('/allocations', tenMegabytes)],
    ],
  },
  { world: 'bare', hosts: 120_000, cases: [['list of 120 000 providers', get('/resource_providers')]] },
];
