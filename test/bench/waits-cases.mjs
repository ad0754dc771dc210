// The worst request of each kind, by the world that it is sent to.
import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { addChanges, addNames } from './loaders.mjs';
import { Client } from './meter.mjs';
import { BODY_WAITS } from './waits-bodies.mjs';
import { providerUuid } from './worlds.mjs';

const FLAVOR = { name: 'm1.small', vcpus: 1, memory_mb: 64, root_gb: 1 };
const OWNER = { project_id: 'bench', user_id: 'bench' };
const INSTANCE = { flavor: FLAVOR, ...OWNER };
const FEW = { ...INSTANCE, num_instances: 10 };
const HUGE = { flavor: { ...FLAVOR, vcpus: 10_000 }, ...OWNER };

const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);
const groups = (count, amount, rest) =>
  `/allocation_candidates?${numbers(count)
    .map((group) => `resources${group}=SRIOV_NET_VF:${amount}`)
    .join('&')}${rest}`;
const subtree = (count) => `&group_policy=isolate&limit=1&same_subtree=${numbers(count).map((at) => `_${at}`)}`;
const named = (count, rest) => groups(count, 1, rest).replaceAll(/resources(\d+)/g, 'resources_$1');
const get = (path, headers) => (client) => client.send('GET', path, undefined, headers);
const send =
  (method, path, body, headers) =>
  (client, { made }) =>
    client.send(method, path, typeof body === 'function' ? body(made) : body, headers);
const post = (path, body, headers) => send('POST', path, body, headers);
/** Changes that a second process wrote by SQL, followed by one search. */
const behindChanges = (count, kind) => async (client, world) => {
  await addChanges(world.url, world.made, count, kind);
  return client.send('GET', '/allocation_candidates?resources=VCPU:1&limit=1');
};

const behindNames = (path) => async (client, world) => {
  await addNames(world.url, 10_000);
  return client.send('GET', path);
};

/** Metrics of a process that has answered all its routes with all statuses. */
const afterAllStatuses =
  (path) =>
  async (client, { tell }) => {
    tell('statuses');
    await pause(1_000);
    return client.send('GET', path);
  };

/** Opens `connections` connections that send a request and read nothing for `ms` milliseconds. */
async function unread(path, connections, ms, { url, headers }) {
  const sockets = numbers(connections).map(() => {
    const socket = net.connect(Number(url.port), url.hostname);
    socket.on('error', () => undefined);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`);
    return socket.pause();
  });
  await pause(ms);
  for (const socket of sockets) socket.destroy();
  return { status: 'unread', bytes: 0, text: () => '' };
}

/**
 * `count` equal requests of one user at once. Returns the longest search of a second user, who sends one after the
 * other.
 */
const duringFlood =
  (count, method, path, body) =>
  async (_client, { service, users }) => {
    const flood = new Client(service, { connections: count, headers: users.worst });
    const quiet = new Client(service, { headers: users.quiet });
    const statuses = new Map();
    let left = count;
    const ended = numbers(count).map(async () => {
      const { status } = await flood.send(method, path, body).catch((error) => ({ status: error.code }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      left -= 1;
    });
    let longestMs = 0;
    let searches = 0;
    for (; left > 0; searches += 1) {
      const began = performance.now();
      const { status } = await quiet.send('GET', '/allocation_candidates?resources=VCPU:1&limit=10');
      if (status !== 200) statuses.set(`search ${status}`, (statuses.get(`search ${status}`) ?? 0) + 1);
      longestMs = Math.max(longestMs, performance.now() - began);
      await pause(10);
    }
    await Promise.all(ended);
    for (const client of [flood, quiet]) client.close();
    const flooded = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
    return { status: `${flooded}; ${searches} searches during it, ${longestMs.toFixed(0)} ms at most`, bytes: 0 };
  };

const HOST_RECORDS = { VCPU: { total: 64 }, MEMORY_MB: { total: 131_072 }, DISK_GB: { total: 2_000 } };
const hostsOf = ({ providers }) => providers.filter(({ name }) => name.startsWith('flat-'));
const claimOf = (uuids, resources) => ({
  allocations: Object.fromEntries(uuids.map((uuid, at) => [uuid, { resources: resources[at] }])),
  ...OWNER,
  consumer_generation: null,
});

function reshape(made) {
  const some = hostsOf(made).slice(0, 1_500);
  return {
    inventories: Object.fromEntries(
      some.map(({ uuid }) => [uuid, { resource_provider_generation: 0, inventories: HOST_RECORDS }]),
    ),
    allocations: Object.fromEntries(some.map(({ uuid }) => [randomUUID(), claimOf([uuid], [{ VCPU: 1 }])])),
  };
}

/** 200 consumers with 1 000 allocations each release all of them in one request. */
async function emptied(client, { made }) {
  const hosts = hostsOf(made).slice(0, 1_000);
  const consumers = numbers(200).map(() => randomUUID());
  const write = (uuids, claim) =>
    client.send('POST', '/allocations', Object.fromEntries(uuids.map((uuid) => [uuid, claim])));
  const everywhere = claimOf(
    hosts.map(({ uuid }) => uuid),
    hosts.map(() => ({ DISK_GB: 1 })),
  );
  for (let at = 0; at < consumers.length; at += 20) {
    const { status } = await write(consumers.slice(at, at + 20), everywhere);
    if (status !== 204) return { status, bytes: 0 };
  }
  return write(consumers, { allocations: {}, ...OWNER, consumer_generation: 1 });
}

const simulated = (hosts, instances) => ({
  providers: numbers(hosts).map((at) => ({ uuid: providerUuid(at), name: `host-${at}`, inventories: HOST_RECORDS })),
  hosts: numbers(hosts).map((at) => ({ host: `host-${at}`, uuid: providerUuid(at) })),
  request: { ...INSTANCE, num_instances: instances },
});

/** A request with hints of the maximum length: its decision is stored after the answer and then read. */
const keptAndShown = (character) => async (client) => {
  const count = character === 'x' ? 31 : 15;
  const hints = Object.fromEntries(numbers(count).map((at) => [`note${at}`, character.repeat(65_535)]));
  const answer = await client.send('POST', '/scheduler/select_destinations', {
    ...INSTANCE,
    num_instances: 1,
    scheduler_hints: hints,
  });
  await pause(1_000);
  return client.send('GET', `/scheduler/decisions/${JSON.parse(answer.text()).request_id}`);
};

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
      [
        'explanation, 24 groups and a provider',
        (client, { made }) =>
          client.send(
            'GET',
            groups(24, 1, '&group_policy=none').replace('?', `/explain?explain_provider=${made.providers[0].uuid}&`),
          ),
      ],
      ['explanation, 24 groups', get(groups(24, 1, '&group_policy=none').replace('?', '/explain?'))],
    ],
  },
  {
    world: 'flat',
    hosts: 2_000,
    cases: [
      ['reshaper, 1 500 providers', post('/reshaper', reshape, { 'x-roles': 'admin,service' })],
      ['20 000 changes of usage, and a search', behindChanges(20_000, 'usage')],
      ['20 000 changes of trees, and a search', behindChanges(20_000, 'tree')],
      ['list of 2 000 providers', get('/resource_providers')],
      [
        'search, 2 000 candidates, 1.10',
        get('/allocation_candidates?resources=VCPU:1', { 'openstack-api-version': 'placement 1.10' }),
      ],
      [
        'explanation of a search and a provider',
        get(`/allocation_candidates/explain?resources=VCPU:999&explain_provider=${providerUuid(1)}`),
      ],
      ['explanation of a search', get('/allocation_candidates/explain?resources=VCPU:999')],
      [
        'dry run of 2 000',
        post('/scheduler/select_destinations', { ...INSTANCE, num_instances: 2_000, dry_run: true }),
      ],
      ['explanation of 5 000', post('/scheduler/explain', { ...INSTANCE, num_instances: 5_000 })],
      [
        'a plan to drain 40 hosts',
        post('/scheduler/plans', (made) => ({
          goal: 'drain',
          hosts: hostsOf(made)
            .slice(0, 40)
            .map(({ name }) => name),
        })),
      ],
      ['a plan to balance', post('/scheduler/plans', { goal: 'balance', resource_classes: ['VCPU'] })],
      ['capacity, up to 100 000', post('/scheduler/capacity', { ...INSTANCE, max_instances: 100_000 })],
      ['a flood of 100 explanations, and another user', duringFlood(100, 'POST', '/scheduler/explain', FEW)],
      [
        'a flood of 20 simulations, and another user',
        duringFlood(20, 'POST', '/scheduler/simulate', simulated(200, 200)),
      ],
      ['batch of 10 000', post('/scheduler/select_destinations', { ...INSTANCE, num_instances: 10_000 })],
      ['a batch that is refused', post('/scheduler/select_destinations', { ...HUGE, num_instances: 1_000 })],
      [
        'a refusal with its whole decision',
        post('/scheduler/select_destinations', { ...HUGE, num_instances: 10_000, explain: 'all' }),
      ],
      ['a decision that is kept and shown, 2 MB', keptAndShown('x')],
      ['the same of characters of two bytes', keptAndShown('é')],
      ['simulation, 10 000 hosts, 1 000 instances', post('/scheduler/simulate', simulated(10_000, 1_000))],
      ...BODY_WAITS,
      ['200 consumers give back 200 000 rows', emptied],
      ['a search behind that', get('/allocation_candidates?resources=VCPU:1&limit=1')],
      ['metrics, all routes with all statuses', afterAllStatuses('/metrics')],
    ],
  },
  {
    world: 'crowded',
    hosts: 1,
    cases: [
      ['allocations of 100 000 consumers', get(`/resource_providers/${providerUuid(1)}/allocations`)],
      ['usages of them', get('/usages?project_id=bench')],
    ],
  },
  {
    world: 'bare',
    hosts: 120_000,
    cases: [
      ['list of 120 000 providers', get('/resource_providers')],
      ['list of 10 000 traits', behindNames('/traits')],
      ['list of traits, none of which is meant', get('/traits?name=startswith:NOTHING&associated=true')],
      ['list of 10 000 resource classes', get('/resource_classes')],
      ['zones of 120 000 providers', get('/scheduler/availability_zones')],
      ['60 000 changes: all is loaded again', behindChanges(60_000, 'tree')],
    ],
  },
];
