// Bodies of the maximum size, of each kind: some are stored, some are refused, and some take the parser or the
// validation longest.
import { randomUUID } from 'node:crypto';

const BODY_BYTES = 2 * 1_024 * 1_024;
const FLAVOR = { name: 'm1.small', vcpus: 1, memory_mb: 64, root_gb: 1 };
const OWNER = { project_id: 'bench', user_id: 'bench' };
const REQUEST = { flavor: FLAVOR, ...OWNER, num_instances: 1 };
const RECORD = { total: 64, reserved: 0, min_unit: 1, max_unit: 64, step_size: 1, allocation_ratio: 16 };

const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);
const keyed = (count, value, name = 'k') => Object.fromEntries(numbers(count).map((at) => [`${name}${at}`, value]));
const hostsOf = ({ providers }) => providers.filter(({ name }) => name.startsWith('flat-'));

/** As many entries as fit in a body in addition to `rest` bytes. */
function filled(entryOf, rest = 200, most = Number.POSITIVE_INFINITY) {
  const entries = [];
  for (let bytes = rest; entries.length < most;) {
    const entry = entryOf(entries.length);
    bytes += JSON.stringify(entry).length + 1;
    if (bytes > BODY_BYTES) break;
    entries.push(entry);
  }
  return entries;
}

function claimsOf(made) {
  const hosts = hostsOf(made);
  const amounts = { VCPU: 1, MEMORY_MB: 1 };
  const claim = (at) => ({
    allocations: Object.fromEntries(
      [0, 1].map((next) => [hosts[(at + next) % hosts.length].uuid, { resources: amounts }]),
    ),
    ...OWNER,
    consumer_generation: null,
  });
  return Object.fromEntries(filled((at) => [randomUUID(), claim(at)]));
}

function reshape(made) {
  const records = { VCPU: RECORD, MEMORY_MB: { ...RECORD, total: 131_072, max_unit: 131_072 }, DISK_GB: RECORD };
  const set = { resource_provider_generation: 0, inventories: records };
  const inventories = filled((at) => [hostsOf(made)[at].uuid, set], 200, hostsOf(made).length);
  return { inventories: Object.fromEntries(inventories), allocations: {} };
}

const instance = () => ({
  uuid: randomUUID(),
  flavor: 'm1.small',
  project_id: 'bench',
  vm_state: 'active',
  task_state: null,
  image_properties: { hw_disk_bus: 'virtio' },
});
const reportOf = (change) => () => {
  const instances = filled(instance, 200, 10_000);
  change(instances);
  return { vcpus_total: 64, instances };
};

/** Sends JSON text unchanged. */
const raw = (method, path, json) => async (client) => client.sendText(method, path, json());

const send =
  (method, path, bodyOf, headers) =>
  (client, { made }) =>
    client.send(method, typeof path === 'function' ? path(made) : path, bodyOf(made), headers);

const SERVICE = { 'x-roles': 'admin,service' };
const first = (rest) => (made) => `/resource_providers/${hostsOf(made)[0].uuid}${rest}`;
const GENERATION = { resource_provider_generation: 999_999 };
const repeated = (entry, last) => () => `[${entry.repeat(Math.floor((BODY_BYTES - 100) / entry.length))}${last}]`;
const CLAIMS = '/allocations';

export const BODY_WAITS = [
  ['2 MiB: POST /allocations', send('POST', CLAIMS, claimsOf)],
  [
    '2 MiB: POST /allocations, the last entry wrong',
    send('POST', CLAIMS, (made) => ({ ...claimsOf(made), [randomUUID()]: { allocations: {}, ...OWNER } })),
  ],
  ['2 MiB: reshaper', send('POST', '/reshaper', reshape, SERVICE)],
  [
    '2 MiB: aggregates of a provider',
    send('PUT', first('/aggregates'), () => ({ aggregates: filled(() => randomUUID()), ...GENERATION })),
  ],
  [
    '2 MiB: traits of a provider',
    send('PUT', first('/traits'), () => ({ traits: filled((at) => `CUSTOM_TRAIT_${at}`), ...GENERATION })),
  ],
  [
    '2 MiB: inventories of a provider',
    send('PUT', first('/inventories'), () => ({
      inventories: Object.fromEntries(filled((at) => [`CUSTOM_CLASS_${at}`, RECORD])),
      ...GENERATION,
    })),
  ],
  [
    '2 MiB: report',
    send(
      'PUT',
      '/scheduler/hosts/flat-2/flat-2',
      reportOf(() => undefined),
    ),
  ],
  [
    '2 MiB: report, all other',
    send(
      'PUT',
      '/scheduler/hosts/flat-2/flat-2',
      reportOf((all) => all.reverse()),
    ),
  ],
  [
    '2 MiB: report, the last entry wrong',
    send(
      'PUT',
      '/scheduler/hosts/flat-2/flat-2',
      reportOf((all) => (all.at(-1).uuid = 'none')),
    ),
  ],
  [
    '2 MiB: host aggregate',
    send('POST', '/scheduler/host_aggregates', () => ({
      name: 'wide',
      hosts: filled((at) => `host-${at}.${'x'.repeat(85)}`, 200, 20_000),
    })),
  ],
  [
    '2 MiB: hints',
    send('POST', '/scheduler/explain', () => ({
      ...REQUEST,
      scheduler_hints: Object.fromEntries(filled((at) => [`note${at}`, 'x'.repeat(65_000)])),
    })),
  ],
  [
    '2 MiB: lists of hosts and instances',
    send('POST', '/scheduler/explain', () => ({
      ...REQUEST,
      num_instances: undefined,
      instances: numbers(100).map(() => randomUUID()),
      ...Object.fromEntries(
        ['ignore_hosts', 'force_hosts', 'force_nodes'].map((name) => [
          name,
          numbers(10_000).map((at) => `${name}-${at}.${'x'.repeat(45)}`),
        ]),
      ),
    })),
  ],
  [
    '2 MiB: extra specs',
    send('POST', '/scheduler/explain', () => ({
      ...REQUEST,
      flavor: { ...FLAVOR, extra_specs: keyed(20_000, 'x'.repeat(90)) },
    })),
  ],
  ['64 KiB: unknown fields', send('POST', '/scheduler/explain', () => ({ ...REQUEST, ...keyed(5_000, 'v') }))],
  [
    '2 MiB: simulation',
    send('POST', '/scheduler/simulate', () => ({
      hosts: filled((at) => ({ host: `h${at}`, vcpus_total: 8 }), 400, 10_000),
      request: REQUEST,
    })),
  ],
  ['2 MiB: empty lists', raw('POST', CLAIMS, repeated('[],', '[]'))],
  ['2 MiB: empty objects', raw('POST', CLAIMS, repeated('{},', '{}'))],
  ['2 MiB: numbers', raw('POST', CLAIMS, repeated('0,', '0'))],
  ['2 MiB: one text', raw('POST', CLAIMS, () => `"${'é'.repeat(BODY_BYTES / 2 - 10)}"`)],
  [
    '2 MiB: new keys',
    raw('POST', CLAIMS, () => JSON.stringify(numbers(5).map((at) => keyed(20_000, 0, `consumer-${at}-`)))),
  ],
  [
    '2 MiB: objects with new keys',
    raw('POST', CLAIMS, () => JSON.stringify(numbers(50_000).map((at) => ({ [`key${at}`]: at })))),
  ],
  [
    '2 MiB: as many new keys as are read',
    raw('POST', CLAIMS, () => JSON.stringify(numbers(20_000).map((at) => ({ [`key${at}-${'x'.repeat(80)}`]: at })))),
  ],
];
