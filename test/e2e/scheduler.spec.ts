// The scheduler over HTTP, in process, on both databases: chosen hosts, claims, and the data left behind.
import { AllocationsService } from '../../src/placement/allocations/allocations.service';
import { ConcurrentUpdate } from '../../src/platform/values/errors';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import type { Json } from './scheduler-cloud';
import {
  allocationsOf,
  books,
  clear,
  explain,
  flavorWith,
  hostsOf,
  instance,
  loadWorld,
  OWNER,
  select,
} from './scheduler-cloud';

const THREE_HOSTS = `
  big    VCPU:16 MEMORY_MB:8192
  mid    VCPU:16 MEMORY_MB:4096
  small  VCPU:16 MEMORY_MB:2048
`;
const TRAITS = `
  plain   VCPU:16 MEMORY_MB:8192
  fast    VCPU:16 MEMORY_MB:4096  {CUSTOM_FAST}
  windows VCPU:16 MEMORY_MB:2048  {CUSTOM_WINDOWS CUSTOM_FAST}
`;
/** One weigher and two filters with effects that are easy to provoke. */
const PARTS = {
  BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'NumInstancesFilter,DifferentHostFilter',
  BERTH_FILTER_SCHEDULER__WEIGHT_CLASSES: 'RAMWeigher',
};
/** A refusal is an error document with one error. */
const refusal = (status: number, code: string): object => ({ status, json: { errors: [{ status, code }] } });

describe.each(testDatabaseKinds())('select_destinations on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { env: PARTS });
  });
  afterAll(() => service.stop());
  afterEach(async () => {
    expect((await books(service)).faults).toEqual([]);
    await clear(service);
  });

  it('puts an instance on the host with the most free memory and claims it there', async () => {
    await loadWorld(service, THREE_HOSTS);
    const answer = await select(service, { instances: [instance(1)] });
    expect(answer.json).toMatchObject({
      request_id: expect.stringMatching(/^req-/),
      selections: [
        {
          instance_uuid: instance(1),
          selected: { host: 'big', node: 'big', uuid: providerUuid('big'), availability_zone: 'nova', weight: 1 },
          alternates: [{ host: 'mid' }, { host: 'small' }],
        },
      ],
      decision: { outcome: 'placed', code: null, placement: { hosts: 3, candidates: 3 } },
    });
    const { allocation_request: request } = answer.json.selections[0].selected;
    expect(await allocationsOf(service, instance(1))).toEqual({
      [providerUuid('big')]: { generation: expect.any(Number), ...request.allocations[providerUuid('big')] },
    });
  });

  it('places a batch in order; each instance sees the earlier ones', async () => {
    await loadWorld(service, 'a VCPU:9 MEMORY_MB:2048\nb VCPU:9 MEMORY_MB:1792\nc VCPU:9 MEMORY_MB:600');
    const answer = await select(service, { instances: [instance(1), instance(2), instance(3)] });
    expect(hostsOf(answer)).toEqual(['a', 'b', 'a']);
    const alternates = answer.json.selections.map((one: Json) => one.alternates.map((other: Json) => other.host));
    expect(alternates).toEqual([['c'], ['c'], ['c']]);
    expect((await books(service)).consumers).toBe(3);
  });

  it('claims no alternate', async () => {
    await loadWorld(service, THREE_HOSTS);
    await select(service);
    for (const name of ['mid', 'small']) {
      const { json } = await service.request({ path: `/resource_providers/${providerUuid(name)}/usages` });
      expect(json.usages).toEqual({ MEMORY_MB: 0, VCPU: 0 });
    }
  });

  it('leaves nothing behind of a batch that does not fit as a whole', async () => {
    await loadWorld(service, 'only VCPU:2 MEMORY_MB:8192');
    const instances = [instance(1), instance(2), instance(3)];
    const answer = await select(service, { instances });
    expect(answer).toMatchObject(refusal(409, 'scheduler.no_valid_host'));
    expect(answer.json.errors[0].decision.passes.map(({ selected }: Json) => selected?.host ?? null)).toEqual([
      'only',
      'only',
      null,
    ]);
    for (const one of instances) expect(await allocationsOf(service, one)).toEqual({});
    expect(await books(service)).toEqual({ consumers: 0, faults: [] });
  });

  it('answers a dry run like the real call, and claims nothing', async () => {
    await loadWorld(service, THREE_HOSTS);
    const body = { instances: [instance(1), instance(2)] };
    const dry = await select(service, { ...body, dry_run: true });
    expect((await books(service)).consumers).toBe(0);
    const real = await select(service, body);
    expect(dry.json.selections).toEqual(real.json.selections);
    expect((await books(service)).consumers).toBe(2);
  });

  it('explains without a claim, with status 200 for every outcome', async () => {
    await loadWorld(service, 'only VCPU:2 MEMORY_MB:8192');
    const placed = await explain(service);
    expect(placed).toMatchObject({ status: 200, json: { outcome: 'placed' } });
    const refused = await explain(service, { num_instances: 3 });
    expect(refused).toMatchObject({
      status: 200,
      json: { outcome: 'no_valid_host', code: 'scheduler.no_valid_host', selections: [] },
    });
    expect((await books(service)).consumers).toBe(0);
  });

  it.each<[string, object, string]>([
    ['required by the flavor', flavorWith({ 'trait:CUSTOM_WINDOWS': 'required' }), 'windows'],
    ['forbidden by the flavor', flavorWith({ 'trait:CUSTOM_FAST': 'forbidden' }), 'plain'],
    ['required by the image', { image: { properties: { 'trait:CUSTOM_FAST': 'required' } } }, 'fast'],
    [
      'required by the flavor, another forbidden by the image',
      {
        ...flavorWith({ 'trait:CUSTOM_FAST': 'required' }),
        image: { properties: { 'trait:CUSTOM_WINDOWS': 'forbidden' } },
      },
      'fast',
    ],
    ['of the root required by the request', { request_level_params: { root_required: ['CUSTOM_WINDOWS'] } }, 'windows'],
  ])('respects a trait %s', async (_, body, host) => {
    await loadWorld(service, TRAITS);
    expect(hostsOf(await select(service, body))).toEqual([host]);
  });

  it('avoids hosts with a disabled compute service', async () => {
    await loadWorld(service, 'big VCPU:4 MEMORY_MB:8192 {COMPUTE_STATUS_DISABLED}\nmid VCPU:4 MEMORY_MB:4096');
    expect(hostsOf(await select(service))).toEqual(['mid']);
  });

  it('keeps an instance off the host of an existing instance named in its hint', async () => {
    await loadWorld(service, THREE_HOSTS);
    await select(service, { instances: [instance(1)] });
    const answer = await select(service, { scheduler_hints: { different_host: [instance(1)] } });
    expect(hostsOf(answer)).toEqual(['mid']);
    const stage = answer.json.decision.passes[0].stages.find(({ name }: Json) => name === 'DifferentHostFilter');
    expect(stage).toMatchObject({
      in: 3,
      out: 2,
      rejections: {
        by_code: { runs_named_instance: 1 },
        hosts: [{ host: 'big', message: `host runs ${instance(1)}, named by the hint different_host` }],
      },
    });
  });

  it('weighs by free memory, not by its share', async () => {
    await loadWorld(
      service,
      'full VCPU:9 MEMORY_MB:65536/60000\nidle VCPU:9 MEMORY_MB:4096\nhalf VCPU:9 MEMORY_MB:9000/4500',
    );
    const { json } = await explain(service);
    expect(json.decision.passes[0].ranking.map(({ host }: Json) => host)).toEqual(['full', 'half', 'idle']);
    expect(json.decision.passes[0].weighers[0].hosts.find(({ host }: Json) => host === 'full').raw).toBe(5536);
  });

  it('uses children and shared disks, and claims from all of them', async () => {
    await loadWorld(
      service,
      `
       cn1    VCPU:8 MEMORY_MB:4096  @rack
         gpu0 CUSTOM_GPU:1
       cn2    VCPU:8 MEMORY_MB:8192
       pool   DISK_GB:1000 {SHARES} @rack`,
    );
    const body = { instances: [instance(1)], ...flavorWith({ 'resources_GPU:CUSTOM_GPU': 1 }, { root_gb: 20 }) };
    expect(hostsOf(await select(service, body))).toEqual(['cn1']);
    const taken = await allocationsOf(service, instance(1));
    expect(Object.keys(taken).sort()).toEqual(['cn1', 'gpu0', 'pool'].map(providerUuid).sort());
  });

  it('refuses an instance that has allocations, and does not change them', async () => {
    await loadWorld(service, THREE_HOSTS);
    await select(service, { instances: [instance(1)] });
    const answer = await select(service, { instances: [instance(2), instance(1)] });
    expect(answer).toMatchObject(refusal(409, 'scheduler.generation_conflict'));
    expect(await allocationsOf(service, instance(1))).toMatchObject({
      [providerUuid('big')]: { resources: { MEMORY_MB: 512, VCPU: 1 } },
    });
    expect(await allocationsOf(service, instance(2))).toEqual({});
  });

  it('gives the last slots to as many requests as fit, gives the others the reason, and leaks nothing', async () => {
    await loadWorld(service, Array.from({ length: 5 }, (_, at) => `cn${at} VCPU:2 MEMORY_MB:1024`).join('\n'));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => select(service, { instances: [instance(at)] })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    for (const { status, json } of refused) {
      expect(status).toBe(409);
      const [error] = json.errors;
      expect(['scheduler.claims_lost', 'scheduler.no_candidates']).toContain(error.code);
      expect(error.decision.summary.sentence).toMatch(
        /could be claimed|lack only 512 MEMORY_MB|no host has 512 MEMORY_MB free/,
      );
    }
    expect(await books(service)).toEqual({ consumers: 10, faults: [] });
  });

  it('places concurrent batches as a whole or not at all', async () => {
    await loadWorld(service, 'cn0 VCPU:4 MEMORY_MB:8192\ncn1 VCPU:3 MEMORY_MB:8192');
    const batches = Array.from({ length: 5 }, (_, at) => [1, 2, 3].map((one) => instance(at * 10 + one)));
    const answers = await Promise.all(batches.map((instances) => select(service, { instances })));
    let placed = 0;
    for (const [at, { status }] of answers.entries()) {
      const taken = await Promise.all((batches[at] ?? []).map((one) => allocationsOf(service, one)));
      const claimed = taken.filter((allocations) => Object.keys(allocations).length > 0).length;
      expect(claimed).toBe(status === 200 ? 3 : 0);
      placed += claimed;
    }
    expect((await books(service)).consumers).toBe(placed);
  });

  it('retries a claim after a conflict with another writer', async () => {
    await loadWorld(service, THREE_HOSTS);
    const replace = jest.spyOn(service.app.get(AllocationsService), 'replaceIn');
    replace.mockRejectedValueOnce(new ConcurrentUpdate('met another writer'));
    const { json } = await select(service).finally(() => replace.mockRestore());
    expect(json.decision.passes[0].claims).toEqual([
      { host: 'big', node: 'big', candidate: 0, outcome: 'claimed', attempts: 2, message: null },
    ]);
  });
});

describe.each(testDatabaseKinds())('a scheduler with default options, on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());
  afterEach(() => clear(service));

  it("runs nova's default filters and adds up all weighers", async () => {
    await loadWorld(service, THREE_HOSTS);
    const { json } = await select(service, { instances: [instance(1)] });
    const [pass] = json.decision.passes;
    expect(pass.stages.map(({ name }: Json) => name)).toEqual([
      'preselection',
      'ComputeFilter',
      'ComputeCapabilitiesFilter',
      'ImagePropertiesFilter',
      'ServerGroupAntiAffinityFilter',
      'ServerGroupAffinityFilter',
    ]);
    // All of the memory and all of the vCPUs: both scales start at 0.
    expect(json.selections[0].selected).toMatchObject({ host: 'big', weight: 2 });
    for (const { host, weight } of pass.ranking) {
      const parts = pass.weighers.map(({ hosts }: Json) => hosts.find((one: Json) => one.host === host).score);
      expect(parts.reduce((sum: number, score: number) => sum + score, 0)).toBeCloseTo(weight, 9);
    }
  });

  it('keeps an affinity group together if the request lists its members without hosts', async () => {
    await loadWorld(service, `${THREE_HOSTS}\n  shared DISK_GB:100 {MISC_SHARES_VIA_AGGREGATE}`);
    const report = { memory_mb: 2_048, free_ram_mb: 2_048, vcpus_total: 8, report_providers: true };
    await service.request({ method: 'PUT', path: '/scheduler/hosts/rack/node', body: report });
    const member = async (uuid: string, ...providers: readonly string[]): Promise<void> => {
      const { json } = await service.request({ path: '/resource_providers' });
      const uuidOf = (name: string): string =>
        (json.resource_providers as Json[]).find((one) => one.name === name).uuid;
      const share = (name: string): object => ({ resources: name === 'shared' ? { DISK_GB: 1 } : { VCPU: 1 } });
      const allocations = Object.fromEntries(providers.map((name) => [uuidOf(name), share(name)]));
      const body = { allocations, ...OWNER, consumer_generation: null, consumer_type: 'INSTANCE' };
      expect((await service.request({ method: 'PUT', path: `/allocations/${uuid}`, body })).status).toBe(204);
    };
    await member(instance(1), 'small', 'shared');
    await member(instance(2), 'node');
    const group = async (more: object, policy = 'affinity'): Promise<TestResponse> =>
      select(service, { instances: [instance(9)], instance_group: { policy, ...more } });
    const groupIn = ({ json }: TestResponse): Json => json.decision.request.instance_group;

    const answer = await group({ members: [instance(1).toUpperCase(), instance(2), instance(3)] });
    expect(groupIn(answer).hosts).toEqual(['rack', 'small']);
    expect(['rack', 'small']).toContain(hostsOf(answer)[0]);
    await service.request({ method: 'DELETE', path: `/scheduler/instances/${instance(9)}` });

    // Given hosts are used as they are; an instance does not bind itself to its host.
    expect(
      groupIn(await explain(service, { instance_group: { policy: 'affinity', members: [instance(1)], hosts: [] } }))
        .hosts,
    ).toEqual([]);
    expect(groupIn(await group({ members: [instance(9)] })).hosts).toEqual([]);
    await service.request({ method: 'DELETE', path: '/scheduler/hosts/rack/node' });
  });

  it('charges vCPUs and memory before the next instance of a batch is placed', async () => {
    await loadWorld(service, 'a VCPU:9 MEMORY_MB:2048\nb VCPU:9 MEMORY_MB:1792\nc VCPU:9 MEMORY_MB:600');
    const answer = await select(service, { instances: [instance(1), instance(2), instance(3)] });
    // For the third, a and b have one vCPU less than c, which outweighs their additional memory.
    expect(hostsOf(answer)).toEqual(['a', 'b', 'c']);
  });
});

describe.each(testDatabaseKinds())('a configured scheduler on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, {
      env: {
        ...PARTS,
        BERTH_SCHEDULER__QUERY_PLACEMENT_FOR_IMAGE_TYPE_SUPPORT: 'true',
        BERTH_FILTER_SCHEDULER__MAX_INSTANCES_PER_HOST: '2',
        BERTH_FILTER_SCHEDULER__RAM_WEIGHT_MULTIPLIER: '-1.0',
        BERTH_SCHEDULER__MAX_ATTEMPTS: '2',
      },
    });
  });
  afterAll(() => service.stop());
  afterEach(() => clear(service));

  it('stacks with a negative multiplier, and stops at the limit of instances on a host', async () => {
    await loadWorld(service, THREE_HOSTS);
    expect(hostsOf(await select(service, { num_instances: 2 }))).toEqual(['small', 'small']);
    const third = await select(service);
    expect(hostsOf(third)).toEqual(['mid']);
    expect(third.json.selections[0].alternates).toHaveLength(1);
    expect(third.json.decision.passes[0].stages[1]).toMatchObject({
      name: 'NumInstancesFilter',
      rejections: { hosts: [{ host: 'small', message: 'host runs 2 instances; the limit is 2' }] },
    });
  });

  it('requires the disk format of the image, and reports it', async () => {
    await loadWorld(
      service,
      'a VCPU:4 MEMORY_MB:1024 {COMPUTE_IMAGE_TYPE_RAW}\nb VCPU:4 MEMORY_MB:9000 {COMPUTE_IMAGE_TYPE_QCOW2}',
    );
    const answer = await select(service, { image: { disk_format: 'qcow2' }, explain: 'all' });
    expect(hostsOf(answer)).toEqual(['b']);
    expect(answer.json.decision).toMatchObject({
      placement: { rejections: { hosts: [{ host: 'a', code: 'missing_trait' }] } },
    });
    expect(answer.json.decision.prefilters.filter(({ ran }: Json) => ran)).toMatchObject([
      {
        name: 'ImageTypePrefilter',
        because: 'image disk_format qcow2',
        added: { root_required: ['COMPUTE_IMAGE_TYPE_QCOW2'] },
      },
      { name: 'ComputeStatusPrefilter' },
    ]);
    expect(hostsOf(await select(service, { image: { disk_format: 'qcow2' }, is_bfv: true }))).toEqual(['a']);
  });

  it('describes itself with its effective options', async () => {
    const { json } = await service.request({ path: '/scheduler' });
    expect(json.options.max_attempts).toBe(2);
    expect(json.filters[0].options[0]).toMatchObject({ name: 'max_instances_per_host', value: 2, default: 50 });
    expect(json.weighers[0].options[0]).toMatchObject({ name: 'ram_weight_multiplier', value: -1 });
    const imageType = json.prefilters.find(({ name }: Json) => name === 'ImageTypePrefilter');
    expect(imageType.options[0].value).toBe(true);
  });
});

describe.each(testDatabaseKinds())('a scheduler with random choice, on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { env: { BERTH_FILTER_SCHEDULER__HOST_SUBSET_SIZE: '12' } });
    await loadWorld(service, Array.from({ length: 12 }, (_, at) => `cn${at} VCPU:8 MEMORY_MB:4096`).join('\n'));
  });
  afterAll(() => service.stop());

  it('returns its seed, which reproduces the decision', async () => {
    const first = await select(service, { dry_run: true, num_instances: 3 });
    const { seed } = first.json.decision;
    for (let again = 0; again < 3; again += 1) {
      expect(hostsOf(await select(service, { dry_run: true, num_instances: 3, seed }))).toEqual(hostsOf(first));
    }
  });

  it('decides differently with other seeds', async () => {
    const hosts = new Set<string | undefined>();
    for (let seed = 0; seed < 16; seed += 1) hosts.add(hostsOf(await select(service, { dry_run: true, seed }))[0]);
    expect(hosts.size).toBeGreaterThan(3);
  });
});
