// Described clouds: the same pipeline on another world. The pipeline has its own specs.
import 'reflect-metadata';
import { getMetadataStorage } from 'class-validator';
import { validDocument } from '../../platform/http/dto-body.decorator';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import { SimulationDto } from './simulation.schema';
import { SimulationService } from './simulation.service';

interface Answer {
  readonly request_id: string;
  readonly outcome: string;
  readonly code?: string;
  readonly message?: string;
  readonly selections: readonly { readonly selected: { readonly host: string } | null }[];

  readonly decision: {
    readonly passes: readonly [
      {
        readonly ranking: readonly { readonly node: string }[];
        readonly stages: readonly { readonly name: string }[];
        readonly claims: unknown;
      },
    ];
    readonly placement: unknown;
    readonly request: unknown;
    readonly summary: { readonly rejected: unknown };
  };
}

const REQUEST = { num_instances: 1, flavor: { name: 'm', vcpus: 1, memory_mb: 512 }, project_id: 'p', user_id: 'u' };
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const host = (name: string, more: object = {}): object => ({ host: name, memory_mb: 8192, free_ram_mb: 4096, ...more });
const ENABLED = (...names: string[]): object => ({ filter_scheduler: { enabled_filters: names } });

const service = new SimulationService([], '1');
const answerTo = async (document: object, by = service): Promise<Answer> =>
  (await by.simulate(await validDocument(SimulationDto, { request: REQUEST, ...document }), 'req-1')) as Answer;
const hostsIn = ({ selections }: Answer): (string | undefined)[] => selections.map(({ selected }) => selected?.host);
const refusal = async (document: object): Promise<string> => {
  try {
    await answerTo(document);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was not refused');
};

describe('without providers', () => {
  it('every host has the inventory of its report', async () => {
    const answer = await answerTo({ hosts: [host('a'), host('b', { free_ram_mb: 4097 })] });
    expect(answer).toMatchObject({ outcome: 'placed', decision: { placement: { candidates: 2, hosts: 2 } } });
    expect(hostsIn(answer)).toEqual(['b']);
  });

  it('hosts are distinguished by their nodes, whose name defaults to that of the host', async () => {
    const { decision } = await answerTo({ hosts: [host('a'), host('a', { node: 'other' })] });
    expect(decision.passes[0].ranking.map(({ node }) => node)).toEqual(['a', 'other']);
  });

  it('a service has the properties that its host states', async () => {
    const now = '2026-01-01T00:01:40Z';
    const hosts = [
      host('disabled', { status: 'disabled', disabled_reason: 'repair' }),
      host('forced', { forced_down: true }),
      host('late', { last_seen_up: '2026-01-01T00:00:39Z' }),
      host('just', { last_seen_up: '2026-01-01T00:00:40Z' }),
    ];
    const { decision, ...answer } = await answerTo({ now, hosts, config: ENABLED('ComputeFilter') });
    expect(hostsIn({ decision, ...answer })).toEqual(['just']);
    expect(decision.summary.rejected).toEqual({
      'ComputeFilter.service_forced_down': 1,
      'ComputeFilter.service_down': 1,
    });
  });

  it('the current time defaults to the latest time of a host', async () => {
    const seen = { last_seen_up: '2026-01-01T00:00:00Z' };
    const { decision } = await answerTo({ hosts: [host('a', seen)], config: ENABLED('ComputeFilter') });
    expect(decision).toMatchObject({ at: '2026-01-01T00:00:00.000Z', outcome: 'placed' });
  });
});

describe('without providers a host is judged by its report', () => {
  const sized = { vcpus_total: 4, vcpus_used: 2, memory_mb: 8_192, free_ram_mb: 4_096, local_gb: 10, free_disk_gb: 5 };
  const request = (flavor: object, more: object = {}): object => ({
    ...REQUEST,
    ...more,
    flavor: { vcpus: 1, memory_mb: 512, ...flavor },
  });
  const RATIO = { config: { DEFAULT: { cpu_allocation_ratio: 1 } } };
  it.each<[string, object, string]>([
    ['CPUs that are free', { request: request({ vcpus: 2 }), ...RATIO }, 'placed'],
    ['CPUs that are used', { request: request({ vcpus: 3 }), ...RATIO }, 'no_valid_host'],
    ['CPUs by the initial ratio', { request: request({ vcpus: 4 }) }, 'placed'],
    ['memory that is free', { request: request({ memory_mb: 4_096 }) }, 'placed'],
    ['memory that is used', { request: request({ memory_mb: 4_097 }) }, 'no_valid_host'],
    ['disk that is free', { request: request({ root_gb: 5 }) }, 'placed'],
    ['disk that is used', { request: request({ root_gb: 6 }) }, 'no_valid_host'],
    ['a batch within the memory', { request: request({}, { num_instances: 8 }) }, 'placed'],
    ['a batch beyond the memory', { request: request({}, { num_instances: 9 }) }, 'no_valid_host'],
    ['another resource class', { request: request({ extra_specs: { 'resources:VGPU': 1 } }) }, 'no_valid_host'],
    ['a trait', { request: request({ extra_specs: { 'trait:CUSTOM_X': 'required' } }) }, 'no_valid_host'],
    ['its zone', { request: request({}, { availability_zone: 'z1' }) }, 'placed'],
    ['another zone', { request: request({}, { availability_zone: 'z2' }) }, 'no_valid_host'],
  ])('%s', async (_, document, outcome) => {
    const host_aggregates = [
      { name: 'one', availability_zone: 'z1', hosts: ['a'] },
      { name: 'two', availability_zone: 'z2' },
    ];
    expect(await answerTo({ hosts: [host('a', sized)], host_aggregates, ...document })).toMatchObject({
      outcome,
      warnings: [expect.stringContaining('no traits and no other resource classes')],
    });
  });

  it('and what the report omits is not judged, with a warning', async () => {
    const large = request({ vcpus: 99, memory_mb: 8_192 });
    const answer = await answerTo({ hosts: [{ host: 'a', memory_mb: 8_192 }, host('b', sized)], request: large });
    expect(hostsIn(answer)).toEqual(['a']);
    expect(answer).toMatchObject({
      warnings: [
        expect.anything(),
        'VCPU is not judged on hosts that report no vcpus_total: a.',
        'All MEMORY_MB counts as free on hosts that report no free_ram_mb: a.',
      ],
    });
    expect(await answerTo({ hosts: [host('a', sized)], providers: [] })).not.toHaveProperty('warnings');
  });
});

describe('claims scripted to fail', () => {
  const hosts = [host('a', { free_ram_mb: 5000 }), host('b')];

  it('send the instance to the next host', async () => {
    const answer = await answerTo({ hosts, claims: { fail: [{ host: 'a', node: 'a', index: 0 }] } });
    expect(hostsIn(answer)).toEqual(['b']);
    expect(answer.decision.passes[0].claims).toMatchObject([
      { host: 'a', outcome: 'no_capacity', attempts: 1 },
      { host: 'b', outcome: 'claimed' },
    ]);
  });

  it.each([
    ['the first instance', { index: 0 }, ['b', 'a', 'a']],
    ['the second', { index: 1 }, ['a', 'b', 'a']],
    ['every one', {}, ['b', 'b', 'b']],
    ['none, being of another node', { node: 'x' }, ['a', 'a', 'a']],
  ])('fail for %s of a batch', async (_of, reported, expected) => {
    const request = { ...REQUEST, num_instances: 3, flavor: { vcpus: 1, memory_mb: 0 } };
    const config = { filter_scheduler: { weight_classes: ['RAMWeigher'] } };
    const answer = await answerTo({ hosts, request, config, claims: { fail: [{ host: 'a', ...reported }] } });
    expect(hostsIn(answer)).toEqual(expected);
  });

  it('on all hosts end in claims_lost', async () => {
    const answer = await answerTo({ hosts, claims: { fail: [{ host: 'a' }, { host: 'b' }] } });
    expect(answer).toMatchObject({ outcome: 'no_valid_host', code: 'scheduler.claims_lost', selections: [] });
  });
});

describe('with providers', () => {
  const providers = [
    { uuid: uuid(1), name: 'a', inventories: { VCPU: { total: 4 }, MEMORY_MB: { total: 2048 } }, traits: ['CUSTOM_X'] },
    { uuid: uuid(2), name: 'b', inventories: { VCPU: { total: 4 }, MEMORY_MB: { total: 2048 } } },
  ];

  it('the engine finds candidates, and roots without a report are hosts', async () => {
    const flavor = { ...REQUEST.flavor, extra_specs: { 'trait:CUSTOM_X': 'required' } };
    const answer = await answerTo({ providers, request: { ...REQUEST, flavor } });
    expect(hostsIn(answer)).toEqual(['a']);
    expect(answer.decision.placement).toMatchObject({ candidates: 1, hosts: 1 });
  });

  it.each([
    [1536, 'placed'],
    [1537, 'no_valid_host'],
  ])('%d MiB used of 2048 leave room for 512: %s', async (used, outcome) => {
    const [one] = providers;
    expect(await answerTo({ providers: [{ ...one, used: { MEMORY_MB: used } }] })).toMatchObject({ outcome });
  });

  it('a ratio below zero, which the Placement API accepts for small totals, gives no room', async () => {
    const [one] = providers;
    const inventories = { ...one?.inventories, VCPU: { total: 1, allocation_ratio: -0.5 } };
    expect(await answerTo({ providers: [{ ...one, inventories }] })).toMatchObject({ outcome: 'no_valid_host' });
  });

  it('a batch takes no more than is available', async () => {
    const request = { ...REQUEST, num_instances: 9 };
    expect(await answerTo({ providers, request })).toMatchObject({ outcome: 'no_valid_host' });
    expect(await answerTo({ providers, request: { ...request, num_instances: 8 } })).toMatchObject({
      outcome: 'placed',
    });
  });

  it('a host belongs to the root provider with the name of its node', async () => {
    const { selections } = await answerTo({ providers, hosts: [host('rack1', { node: 'b', free_ram_mb: 9999 })] });
    expect(selections[0]?.selected).toMatchObject({ host: 'rack1', node: 'b', uuid: uuid(2) });
  });

  it('aggregates of hosts, and the trait of a disabled service, apply to their providers', async () => {
    const described = {
      providers,
      hosts: [host('a', { status: 'disabled' }), host('b')],
      host_aggregates: [{ name: 'z', availability_zone: 'z1', hosts: ['a', 'b'] }],
      request: { ...REQUEST, availability_zone: 'z1' },
    };
    const answer = await answerTo(described);
    expect(hostsIn(answer)).toEqual(['b']);
    expect(answer.selections[0]?.selected).toMatchObject({ availability_zone: 'z1' });
    expect(answer.decision.placement).toMatchObject({ hosts: 1 });
  });

  it('children are found through their parents', async () => {
    const child = { uuid: uuid(3), name: 'a_numa', parent_uuid: uuid(1), inventories: { CUSTOM_CELL: { total: 1 } } };
    const flavor = { ...REQUEST.flavor, extra_specs: { 'resources:CUSTOM_CELL': '1' } };
    const { selections } = await answerTo({ providers: [...providers, child], request: { ...REQUEST, flavor } });
    expect(selections[0]?.selected).toMatchObject({
      host: 'a',
      allocation_request: { allocations: { [uuid(3)]: { resources: { CUSTOM_CELL: 1 } } } },
    });
  });
});

describe('PCI devices in Placement', () => {
  const DEVICES = 8;
  const [root] = [{ uuid: uuid(1), name: 'a', inventories: { VCPU: { total: 64 }, MEMORY_MB: { total: 65_536 } } }];
  const devices = Array.from({ length: DEVICES }, (_, at) => ({
    uuid: uuid(100 + at),
    name: `a_0000:0${at}:00.0`,
    parent_uuid: uuid(1),
    inventories: { CUSTOM_PCI_10DE_1EB8: { total: 1 } },
  }));
  const pools = devices.map(({ uuid: provider }) => ({
    vendor_id: '10de',
    product_id: '1eb8',
    dev_type: 'type-PCI',
    numa_node: null,
    count: 1,
    tags: { rp_uuid: provider },
  }));
  const alias = JSON.stringify({ name: 'gpu', vendor_id: '10de', product_id: '1eb8' });
  const CONFIG = {
    pci: { alias: [alias] },
    filter_scheduler: { pci_in_placement: true, enabled_filters: ['PciPassthroughFilter'] },
  };
  const described = (count: number, instances: number): object => ({
    providers: [root, ...devices],
    hosts: [host('a', { pci_device_pools: pools })],
    config: CONFIG,
    request: {
      ...REQUEST,
      num_instances: instances,
      flavor: { ...REQUEST.flavor, extra_specs: { 'pci_passthrough:alias': `gpu:${count}` } },
    },
  });
  const claimed = (answer: Answer): string[] =>
    answer.selections.flatMap(({ selected }) =>
      Object.entries(
        (selected as unknown as { allocation_request: { allocations: object } }).allocation_request.allocations,
      )
        .filter(([, { resources }]) => resources.CUSTOM_PCI_10DE_1EB8 === 1)
        .map(([provider]) => provider),
    );

  it.each([
    [1, DEVICES],
    [2, DEVICES / 2],
    [DEVICES, 1],
  ])('are claimed, %d for each of %d instances', async (count, instances) => {
    const answer = await answerTo(described(count, instances));
    expect(answer).toMatchObject({ outcome: 'placed' });
    expect(new Set(claimed(answer)).size).toBe(count * instances);
    expect(answer.decision.placement).toMatchObject({
      query: expect.stringMatching(/^.*&resources[-0-9a-f]{36}-0=CUSTOM_PCI_10DE_1EB8:1/),
    });
  });

  it('are the first choice that the devices of the host allow', async () => {
    const taken = pools.map((pool, at) => ({ ...pool, count: at < DEVICES - 1 ? 0 : 1 }));
    const document = { ...described(1, 1), hosts: [host('a', { pci_device_pools: taken })] };
    for (const nova_compat of [false, true]) {
      const answer = await answerTo({ ...document, config: { ...CONFIG, scheduler: { nova_compat } } });
      expect(claimed(answer)).toEqual([uuid(100 + DEVICES - 1)]);
    }
  });

  it.each([
    [1, DEVICES + 1],
    [DEVICES + 1, 1],
    [5, 2],
  ])('are refused if there are too few: %d for each of %d instances', async (count, instances) =>
    expect(await answerTo(described(count, instances))).toMatchObject({ outcome: 'no_valid_host' }),
  );
});

describe('named objects in a request', () => {
  it('an affinity group without hosts has the hosts that list its members', async () => {
    const hosts = [host('a', { free_ram_mb: 9999 }), host('b', { instances: [{ uuid: uuid(9) }] })];
    const request = { ...REQUEST, instance_group: { policy: 'affinity', members: [uuid(9)] } };
    expect(hostsIn(await answerTo({ hosts, request, config: ENABLED('ServerGroupAffinityFilter') }))).toEqual(['b']);
  });

  it('are looked up in the document', async () => {
    const member = uuid(9);
    const answer = await answerTo({
      hosts: [host('a', { free_ram_mb: 9999, instances: [{ uuid: member }] }), host('b')],
      server_groups: [{ uuid: uuid(8), name: 'g', policy: 'anti-affinity', members: [member] }],
      flavors: [{ id: '1', name: 'small', vcpus: 1, memory_mb: 64 }],
      images: [{ uuid: uuid(7), name: 'linux', disk_format: 'raw' }],
      request: { ...REQUEST, flavor: 'small', image: 'linux', instance_group: 'g' },
    });
    expect(hostsIn(answer)).toEqual(['b']);
    expect(answer.decision.request).toMatchObject({
      flavor: { memory_mb: 64 },
      image: { id: uuid(7), disk_format: 'raw' },
      instance_group: { uuid: uuid(8), hosts: ['a'] },
    });
  });

  it('refuse the request, as an outcome, if the document does not have them', async () => {
    expect(await answerTo({ request: { ...REQUEST, flavor: 'none' } })).toMatchObject({
      outcome: 'refused',
      code: 'scheduler.invalid_request',
      message: expect.stringMatching(/^'flavor' /),
    });
  });
});

describe('the configuration', () => {
  const three = [host('a'), host('b'), host('c')];

  it('decides which parts run, given as values or as strings', async () => {
    const filters = async (options: object): Promise<string[]> => {
      const { decision } = await answerTo({ hosts: three, config: { filter_scheduler: options } });
      return decision.passes[0].stages.map(({ name }) => name);
    };
    expect(await filters({ enabled_filters: ['AllHostsFilter'] })).toEqual(['preselection', 'AllHostsFilter']);
    expect(await filters({ enabled_filters: 'AllHostsFilter, ComputeFilter' })).toEqual([
      'preselection',
      'AllHostsFilter',
      'ComputeFilter',
    ]);
  });

  it.each([
    [{ schedule: {} }, "'config.schedule' is no group; the nearest is scheduler"],
    [{ console: { enabled: false } }, "'config.console' is no group"],
    [{ scheduler: { max_attempt: 1 } }, "'config.scheduler.max_attempt' is no option; the nearest is max_attempts"],
    [{ scheduler: 1 }, "'config.scheduler' is not of type object"],
    [
      { scheduler: { max_attempts: 0 } },
      `'config' would stop a start: [scheduler] max_attempts = "0": must be at least 1`,
    ],
    [
      { scheduler: { max_attempts: {} } },
      `'config' would stop a start: [scheduler] max_attempts = "{}": must be an integer`,
    ],
    [
      { scheduler: { max_attempts: 'x' } },
      `'config' would stop a start: [scheduler] max_attempts = "x": must be an integer`,
    ],
    [ENABLED('NoFilter'), 'NoFilter'],
    [
      { berth: { plugins: ['/etc/passwd'] } },
      "'config.berth.plugins' cannot be given: plug-ins are those of the running configuration",
    ],
    [{ pci: { alias: ['{'] } }, "'config' would stop a start: "],
  ])('refuses %j', async (config, message) => {
    expect(await refusal({ config })).toContain(message);
  });

  it('keeps no state that grows with the number of different configurations', async () => {
    const { validationMetadatas: classes } = getMetadataStorage() as unknown as {
      readonly validationMetadatas: ReadonlyMap<unknown, unknown>;
    };
    const judge = (attempts: number): Promise<Answer> =>
      answerTo({ config: { scheduler: { max_attempts: attempts } } });
    await judge(1);
    const known = classes.size;
    for (let attempts = 2; attempts <= 100; attempts += 1) await judge(attempts);
    expect(known).toBeGreaterThan(0);
    expect(classes.size).toBe(known);
  });

  it('can enable parts of the running plug-ins', async () => {
    const reject = { name: 'NotA', summary: 's', options: {}, rejections: { is_a: 'is a' } };
    const plugin: SchedulerExtension = {
      source: 'mine',
      exports: {
        filters: [
          {
            ...reject,
            notes: {},
            applies: () => true,
            once: false,
            rebuild: false,
            reads: [],
            warning: null,
            validUntil: () => Infinity,
            check: (state, _spec, context) => (state.host === 'a' ? context.reject('is_a') : context.pass),
          },
        ],
      },
    };
    const answer = await answerTo({ hosts: three, config: ENABLED('NotA') }, new SimulationService([plugin], '1'));
    expect(answer.decision.summary.rejected).toEqual({ 'NotA.is_a': 1 });
  });
});

describe('an invalid cloud', () => {
  const provider = (number: number, more: object = {}): object => ({ uuid: uuid(number), name: `p${number}`, ...more });
  it.each([
    [{ hosts: [host('a'), host('a')] }, "'hosts.1' describes host a with node a again"],
    [
      { hosts: [host('a', { uuid: uuid(1) }), host('b', { uuid: uuid(1) })] },
      `'hosts.1.uuid' is ${uuid(1)}, the root provider of another host`,
    ],
    [{ providers: [provider(1), provider(1)] }, `'providers.1.uuid' is ${uuid(1)}, as another provider is`],
    [{ providers: [provider(1), provider(2, { name: 'p1' })] }, "'providers.1.name' is p1, as another provider is"],
    [
      { providers: [provider(1, { parent_uuid: uuid(2) })] },
      `'providers.0.parent_uuid' names the provider ${uuid(2)}, which does not exist`,
    ],
    [{ providers: [provider(1, { parent_uuid: uuid(1) })] }, "'providers.0.parent_uuid' is below the provider itself"],
    [
      { providers: [provider(1, { parent_uuid: uuid(2) }), provider(2, { parent_uuid: uuid(1) })] },
      "'providers.0.parent_uuid' is below the provider itself",
    ],
    [{ providers: [provider(1, { used: { VCPU: 1 } })] }, "'providers.0.used.VCPU' is of a class without an inventory"],
    [
      { providers: [provider(1, { traits: ['NO_SUCH'] })] },
      "'providers.0.traits' names the trait NO_SUCH, which does not exist",
    ],
    [{ providers: [provider(1, { inventories: { VCPU: { total: 0 } } })] }, 'providers.0.inventories'],
    [
      { host_aggregates: [{ name: 'x' }, { name: 'x' }] },
      "'host_aggregates.1.name' is x, as another host aggregate is",
    ],
    [
      {
        host_aggregates: [
          { name: 'x', availability_zone: 'x', hosts: ['a'] },
          { name: 'y', metadata: { availability_zone: 'y' }, hosts: ['a'] },
        ],
      },
      "'host_aggregates.1.hosts' names a, which is in availability zone x already",
    ],
    [{ request: { ...REQUEST, flavour: 1 } }, "'request' has the unknown property 'flavour'"],
    [{ hosts: [host('a', { colour: 'red' })] }, "'hosts.0' has the unknown property 'colour'"],
  ])('is refused with its path: %j', async (document, message) => {
    expect(await refusal(document)).toContain(message);
  });
});

it('the same document gives the same answer; the seed defaults to 0', async () => {
  const document = {
    hosts: Array.from({ length: 9 }, (_, at) => host(`h${at}`)),
    config: { filter_scheduler: { host_subset_size: 9 } },
    request: { ...REQUEST, num_instances: 5 },
  };
  const [first, second] = [await answerTo(document), await answerTo(document)];
  expect(first).toEqual(second);
  expect(first.decision).toMatchObject({ seed: 0, duration_ms: 0 });
  const other = await answerTo({ ...document, request: { ...document.request, seed: 1 } });
  expect(hostsIn(other)).not.toEqual(hostsIn(first));
});

it('accepts the documents that the registries return', async () => {
  const shown = { generation: 3, created_at: '2026-01-01T00:00:00Z', updated_at: null };
  const answer = await answerTo({
    hosts: [host('a', { ...shown, node: 'a', state: 'up', status: 'enabled', reported_at: '2026-01-01T00:00:00Z' })],
    host_aggregates: [{ ...shown, uuid: uuid(1), name: 'x', metadata: {}, availability_zone: null, hosts: ['a'] }],
    server_groups: [
      {
        ...shown,
        uuid: uuid(2),
        name: 'g',
        project_id: null,
        user_id: null,
        policy: 'affinity',
        rules: {},
        members: [],
        hosts: [],
      },
    ],
  });
  expect(hostsIn(answer)).toEqual(['a']);
});
