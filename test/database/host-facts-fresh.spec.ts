// Hosts in memory compared with hosts read from the tables, after random writes through the routes and by another
// process: every later decision reflects all acknowledged writes. BERTH_SEED repeats a run.
import type { Application } from '../../src/application';
import { createApplication } from '../../src/application';
import type { GraphSource } from '../../src/placement/allocation-candidates/graph-source';
import { AllocationsService } from '../../src/placement/allocations/allocations.service';
import type { ProviderGraph, ResourceRequest } from '../../src/placement/candidate-search';
import { EMPTY_GRAPH } from '../../src/placement/candidate-search';
import { createLogger } from '../../src/platform/logging/logger';
import type { HostSourceOptions } from '../../src/scheduler/adapters/resident-host-source';
import { HOST_SOURCE_OPTIONS, ResidentHostSource } from '../../src/scheduler/adapters/resident-host-source';
import type { CandidateSource } from '../../src/scheduler/ports';
import { CANDIDATE_SOURCE, HOST_SOURCE } from '../../src/scheduler/ports';
import { treesOfCandidates } from '../../src/scheduling-rules/host-state/states-of-candidates';
import { Dice } from '../properties/candidates-worlds';
import { testDatabaseKinds } from '../support/databases';
import { loadedGraph } from '../support/graph-follower';
import type { TestService } from '../support/service';
import { ALL_POWERFUL, startTestService } from '../support/service';

const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const STEPS = Number(process.env['BERTH_ROUNDS'] ?? 150);
const HOSTS = ['h0', 'h1', 'h2', 'h3'];
const OWNER = { project_id: 'p', user_id: 'u' };
const FLAVOR = { name: 'f', vcpus: 1, memory_mb: 64 };
const uuid = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
const AGGREGATES = [uuid(901), uuid(902), uuid(903)];

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: any;
}
type Ask = (method: Method, path: string, body?: object) => Promise<Answer>;

const asking =
  (app: Application['app']): Ask =>
  async (method, path, body) => {
    const headers = {
      ...ALL_POWERFUL,
      accept: 'application/json',
      'openstack-api-version': 'placement latest',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const { statusCode: status, body: text } = await app.inject({ method, url: path, headers, ...payload });
    return { status, text, json: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };

/** Compares the inputs of all hosts in the service's source with those of a source that has just read the tables. */
async function compare(app: Application['app'], database: Application['database'], at: object): Promise<void> {
  const resident = app.get<ResidentHostSource>(HOST_SOURCE);
  const options = app.get<HostSourceOptions>(HOST_SOURCE_OPTIONS);
  const loaded: { graph: ProviderGraph } = { graph: EMPTY_GRAPH };
  const graphs = {
    listen: () => undefined,
    follow: () => undefined,
    current: async () => loaded.graph,
  } as unknown as GraphSource;
  const fresh = new ResidentHostSource(database, graphs, app.get(AllocationsService), options);
  await resident.refresh();
  loaded.graph = await loadedGraph(database);
  await fresh.load();
  await fresh.refresh();
  const request: ResourceRequest = {
    groups: [
      {
        suffix: '',
        resources: new Map([['VCPU', 1]]),
        requiredTraits: [],
        forbiddenTraits: [],
        memberOf: [],
        forbiddenAggregates: [],
        inTree: null,
      },
    ],
    groupPolicy: null,
    sameSubtree: [],
    rootRequired: [],
    rootForbidden: [],
    nestedAware: true,
    limit: null,
  };
  const { requests, summaries } = await app.get<CandidateSource>(CANDIDATE_SOURCE).search(request, { perRoot: 1 });
  const trees = treesOfCandidates(requests, summaries);
  const everything = { host: null, node: null };
  const byUuid = <T extends { readonly uuid: string }>(list: readonly T[]): T[] =>
    [...list].sort((one, other) => (one.uuid < other.uuid ? -1 : 1));
  for (const novaCompat of [false, true, false]) {
    const when = { nowMs: Date.now(), novaCompat };
    const seen = { ...at, novaCompat, states: await resident.states(trees, when) };
    expect(seen).toEqual({ ...at, novaCompat, states: await fresh.states(trees, when) });
  }
  expect({ ...at, cloud: resident.cloud() }).toEqual({ ...at, cloud: fresh.cloud() });
  expect(byUuid(resident.targets(everything))).toEqual(byUuid(fresh.targets(everything)));
}

/** Creates root providers with room for a hundred small instances. */
async function addProviders(ask: Ask): Promise<void> {
  for (const [at, name] of HOSTS.entries()) {
    await ask('POST', '/resource_providers', { name, uuid: uuid(800 + at) });
    const inventories = { VCPU: { total: 100 }, MEMORY_MB: { total: 65_536 } };
    const body = { resource_provider_generation: 0, inventories };
    const { status } = await ask('PUT', `/resource_providers/${uuid(800 + at)}/inventories`, body);
    expect(status).toBe(200);
  }
}

/** One random write; returns its description. Some are refused. */
async function write(ask: Ask, dice: Dice, placed: string[]): Promise<string> {
  const host = dice.pick(HOSTS);
  const aggregate = dice.pick(AGGREGATES);
  const known = placed.length === 0 ? uuid(1) : dice.pick(placed);
  const body = { ...OWNER, num_instances: dice.between(1, 3), flavor: FLAVOR, explain: 'none' };
  const writes: [string, () => Promise<Answer>][] = [
    ['report', () => ask('PUT', `/scheduler/hosts/${host}/${host}`, reportOf(dice, host, placed))],
    ['the same report', () => ask('PUT', `/scheduler/hosts/${host}/${host}`, { uuid: uuidOfHost(host), memory_mb: 1 })],
    ['second node', () => ask('PUT', `/scheduler/hosts/${host}/${host}-b`, { memory_mb: dice.between(1, 9) })],
    ['service', () => ask('PATCH', `/scheduler/services/${host}`, serviceOf(dice))],
    [
      'aggregate',
      () =>
        ask('POST', '/scheduler/host_aggregates', { uuid: aggregate, name: aggregate, hosts: dice.some(HOSTS, 0.4) }),
    ],
    ['aggregate host', () => ask('POST', `/scheduler/host_aggregates/${aggregate}/hosts`, { host })],
    ['aggregate host gone', () => ask('DELETE', `/scheduler/host_aggregates/${aggregate}/hosts/${host}`)],
    [
      'metadata',
      () => ask('PATCH', `/scheduler/host_aggregates/${aggregate}/metadata`, { metadata: metadataOf(dice) }),
    ],
    ['aggregate gone', () => ask('DELETE', `/scheduler/host_aggregates/${aggregate}`)],
    ['claim', () => ask('POST', '/scheduler/select_destinations', body)],
    ['claim again', () => ask('POST', '/scheduler/select_destinations', body)],
    ['release', () => ask('DELETE', `/scheduler/instances/${known}`)],
    ['release by the Placement API', () => ask('DELETE', `/allocations/${known}`)],
    ['host gone', () => ask('DELETE', `/scheduler/hosts/${host}/${host}`)],
    ['service gone', () => ask('DELETE', `/scheduler/services/${host}`)],
  ];
  const [what, run] = dice.pick(writes);
  const answer = await run();
  if (answer.status >= 500) throw new Error(`${what}: ${answer.status} ${answer.text}`);
  const selections = (answer.json?.selections ?? []) as { readonly instance_uuid: string }[];
  placed.push(...selections.map(({ instance_uuid: instance }) => instance));
  return `${what} ${answer.status}`;
}

const uuidOfHost = (host: string): string => uuid(800 + HOSTS.indexOf(host));

const reportOf = (dice: Dice, host: string, placed: readonly string[]): object => ({
  uuid: uuidOfHost(host),
  cell: dice.pick(['one', null]),
  service_version: dice.pick([0, 66, 73]),
  memory_mb: 65_536,
  free_ram_mb: dice.between(0, 65_536),
  vcpus_used: dice.between(0, 9),
  instances: dice.some(placed, 0.3).map((each) => ({ uuid: each, vm_state: dice.pick(['active', 'building']) })),
  ...(dice.chance(0.3) && { numa_topology: { cells: [{ id: 0, cpuset: [0, 1], memory: 1024 }] } }),
});
const serviceOf = (dice: Dice): object =>
  dice.pick([
    { status: 'disabled', disabled_reason: 'moody' },
    { status: 'enabled' },
    { forced_down: true },
    { forced_down: false },
  ]);
const metadataOf = (dice: Dice): object =>
  dice.pick([{ ssd: 'true' }, { ssd: null }, { availability_zone: 'az1' }, { availability_zone: null }]);

describe.each(testDatabaseKinds())(`hosts in memory on %s, seed ${SEED}`, (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  it('equal the tables after every write', async () => {
    const ask = asking(service.app);
    await addProviders(ask);
    const dice = new Dice(SEED);
    const placed: string[] = [];
    const done: string[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      done.push(await write(ask, dice, placed));
      // Several writes can be in one read of the log.
      if (dice.chance(0.7)) await compare(service.app, service.database, { seed: SEED, step, last: done.slice(-3) });
    }
    await compare(service.app, service.database, { seed: SEED, step: STEPS, last: done.slice(-3) });
    expect(done.filter((each) => each.startsWith('claim') && each.endsWith('200')).length).toBeGreaterThan(0);
  });
});

describe.each(testDatabaseKinds())('an instance that is released through its allocations alone, on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  it('stops to count at once', async () => {
    const ask = asking(service.app);
    await addProviders(ask);
    for (const host of HOSTS) await ask('PUT', `/scheduler/hosts/${host}/${host}`, { uuid: uuidOfHost(host) });
    const body = { ...OWNER, num_instances: 1, flavor: FLAVOR };
    const { json } = await ask('POST', '/scheduler/select_destinations', body);
    await compare(service.app, service.database, { after: 'claim' });
    const released = await ask('DELETE', `/allocations/${String(json.selections[0].instance_uuid)}`);
    expect(released.status).toBe(204);
    await compare(service.app, service.database, { after: 'release' });
  });
});

describe.each(testDatabaseKinds())('two processes on one %s', (kind) => {
  let service: TestService;
  let second: Application;
  let a: Ask;
  let b: Ask;
  beforeAll(async () => {
    service = await startTestService(kind, {
      env: {
        BERTH_FILTER_SCHEDULER__MAX_INSTANCES_PER_HOST: '3',
        BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'ComputeFilter,NumInstancesFilter,ServerGroupAntiAffinityFilter',
      },
    });
    second = await createApplication({ config: service.config, plugins: [] }, createLogger({ level: 'silent' }));
    [a, b] = [asking(service.app), asking(second.app)];
    await addProviders(a);
  });
  afterAll(async () => {
    await second.stop();
    await service.stop();
  });

  const ok = async (answer: Promise<Answer>): Promise<any> => {
    const { status, text, json } = await answer;
    if (status >= 300) throw new Error(`${status}: ${text}`);
    return json;
  };
  /** The result for a host in a process's decision: where it was rejected, or `ranked`. */
  const placeOf = async (ask: Ask, host: string, given: object = {}): Promise<string> => {
    const body = { ...OWNER, num_instances: 1, flavor: FLAVOR, ...given };
    const { decision } = await ok(ask('POST', '/scheduler/explain', body));
    const [pass] = decision.passes;
    const stages = (pass?.stages ?? []) as any[];
    const fell = stages.flatMap(({ rejections }) => rejections.hosts).find((each) => each.host === host);
    const root = decision.placement.rejections?.hosts.find((each: any) => each.host === host);
    return fell?.code ?? root?.code ?? (pass.ranking.some((each: any) => each.host === host) ? 'ranked' : 'nowhere');
  };

  it('a decision always reflects the acknowledged writes of the other one', async () => {
    for (let round = 0; round < 12; round += 1) {
      const [one, other] = round % 2 === 0 ? [a, b] : [b, a];
      await ok(one('PUT', '/scheduler/hosts/h0/h0', { uuid: uuid(800), stats: { num_instances: 3 } }));
      expect(await placeOf(other, 'h0')).toBe('too_many_instances');
      await ok(one('PUT', '/scheduler/hosts/h0/h0', { uuid: uuid(800), stats: { num_instances: 0 } }));
      expect(await placeOf(other, 'h0')).toBe('ranked');
      await ok(one('PATCH', '/scheduler/services/h0', { forced_down: true }));
      expect(await placeOf(other, 'h0')).toBe('service_forced_down');
      await ok(one('PATCH', '/scheduler/services/h0', { forced_down: false }));
      expect(await placeOf(other, 'h0')).toBe('ranked');
      await ok(one('PATCH', '/scheduler/services/h0', { status: 'disabled' }));
      expect(await placeOf(other, 'h0')).toBe('forbidden_trait');
      await ok(one('PATCH', '/scheduler/services/h0', { status: 'enabled' }));
      expect(await placeOf(other, 'h0')).toBe('ranked');
    }
  });

  it('a zone exists as soon as the other one created it, and no longer than until its deletion', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, other] = round % 2 === 0 ? [a, b] : [b, a];
      const zone = `az${round}`;
      const made = { uuid: AGGREGATES[0], name: zone, availability_zone: zone, hosts: ['h1'] };
      await ok(one('POST', '/scheduler/host_aggregates', made));
      expect(await placeOf(other, 'h1', { availability_zone: zone })).toBe('ranked');
      expect(await placeOf(other, 'h2', { availability_zone: zone })).not.toBe('ranked');
      await ok(one('POST', `/scheduler/host_aggregates/${AGGREGATES[0]}/hosts`, { host: 'h2' }));
      expect(await placeOf(other, 'h2', { availability_zone: zone })).toBe('ranked');
      for (const host of ['h1', 'h2'])
        await ok(one('DELETE', `/scheduler/host_aggregates/${AGGREGATES[0]}/hosts/${host}`));
      expect(await placeOf(other, 'h2', { availability_zone: zone }).catch(String)).not.toBe('ranked');
      await ok(one('DELETE', `/scheduler/host_aggregates/${AGGREGATES[0]}`));
      const gone = await ok(
        other('POST', '/scheduler/explain', { ...OWNER, num_instances: 1, flavor: FLAVOR, availability_zone: zone }),
      );
      expect(gone.code).toBe('scheduler.invalid_request');
    }
  });

  it('placements of one count for the other until they are released', async () => {
    await ok(a('PUT', '/scheduler/hosts/h3/h3', { uuid: uuid(803), stats: { num_instances: 0 } }));
    for (let round = 0; round < 6; round += 1) {
      const [one, other] = round % 2 === 0 ? [a, b] : [b, a];
      const body = { ...OWNER, num_instances: 3, flavor: FLAVOR, requested_destination: { host: 'h3' } };
      const { selections } = await ok(one('POST', '/scheduler/select_destinations', body));
      expect(await placeOf(other, 'h3')).toBe('too_many_instances');
      for (const { instance_uuid: instance } of selections) await ok(one('DELETE', `/scheduler/instances/${instance}`));
      expect(await placeOf(other, 'h3')).toBe('ranked');
    }
  });

  it('members of a server group placed by one are visible to the other', async () => {
    const group = await ok(a('POST', '/scheduler/server_groups', { name: 'apart', ...OWNER, policy: 'anti-affinity' }));
    const hosts: string[] = [];
    for (const ask of [a, b, a, b]) {
      const body = { ...OWNER, num_instances: 1, flavor: FLAVOR, instance_group: group.uuid };
      const { selections } = await ok(ask('POST', '/scheduler/select_destinations', body));
      hosts.push(selections[0].selected.host);
    }
    expect([...hosts].sort()).toEqual(HOSTS);
    const fifth = await b('POST', '/scheduler/select_destinations', {
      ...OWNER,
      num_instances: 1,
      flavor: FLAVOR,
      instance_group: group.uuid,
    });
    expect([fifth.status, fifth.json.errors[0].code]).toEqual([409, 'scheduler.no_valid_host']);
  });
});
