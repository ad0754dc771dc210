// The scenarios of the prefilter chapter, set up over REST: the chosen hosts, and the explanation in the decision. Then
// Windows and Linux hosts separated by host aggregates: the pitfall and its remedies.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { explain, flavorWith, hostsOf, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { decisionOf, operatorOf, prefilterOf, rankedOf, reasonsOf, stageOf } from './scheduler-operator';

const IMAGE_TYPE = 'ImageTypePrefilter';
const TENANT = 'TenantAggregatePrefilter';
const ISOLATED = 'IsolatedAggregatesPrefilter';
const ZONE = 'AvailabilityZonePrefilter';
const STATUS = 'ComputeStatusPrefilter';
const ISOLATION = 'AggregateImagePropertiesIsolation';
/** The host with the most memory is the best, so the order of hosts is fixed. */
const BY_MEMORY = { BERTH_FILTER_SCHEDULER__WEIGHT_CLASSES: 'RAMWeigher' };
const NOTHING_ADDED = { root_required: [], root_forbidden: [], member_of: [], forbidden_aggregates: [], groups: {} };

/** A service for each describe block, with hosts alpha, beta and gamma, the first being the best. */
function withCloud(kind: Parameters<typeof startTestService>[0], env: Record<string, string>): Cloud {
  const cloud: { service?: TestService; operator?: Operator } = {};
  beforeAll(async () => {
    cloud.service = await startTestService(kind, { env: { ...BY_MEMORY, ...env } });
    cloud.operator = operatorOf(cloud.service);
  });
  afterAll(() => cloud.service?.stop());
  beforeEach(async () => {
    await cloud.operator?.report('alpha', 16_384);
    await cloud.operator?.report('beta', 8_192);
    await cloud.operator?.report('gamma', 4_096);
  });
  afterEach(() => cloud.operator?.clear());
  return {
    get operator() {
      return cloud.operator as Operator;
    },
    // With the reason of every host, including those of Placement.
    select: (body = {}) => select(cloud.service as TestService, { explain: 'all', ...body }),
    explain: (body = {}) => explain(cloud.service as TestService, body),
  };
}

interface Cloud {
  readonly operator: Operator;
  select(body?: object): Promise<TestResponse>;
  explain(body?: object): Promise<TestResponse>;
}

describe.each(testDatabaseKinds())('enabled prefilters, on %s', (kind) => {
  const cloud = withCloud(kind, {
    BERTH_SCHEDULER__QUERY_PLACEMENT_FOR_IMAGE_TYPE_SUPPORT: 'true',
    BERTH_SCHEDULER__LIMIT_TENANTS_TO_PLACEMENT_AGGREGATE: 'true',
    BERTH_SCHEDULER__ENABLE_ISOLATED_AGGREGATE_FILTERING: 'true',
  });

  describe('image type', () => {
    beforeEach(async () => {
      const { operator } = cloud;
      await operator.setTraits('alpha', ['COMPUTE_IMAGE_TYPE_RAW']);
      await operator.setTraits('beta', ['COMPUTE_IMAGE_TYPE_RAW', 'COMPUTE_IMAGE_TYPE_QCOW2']);
      await operator.setTraits('gamma', ['COMPUTE_IMAGE_TYPE_QCOW2']);
      await operator.image('debian', { disk_format: 'qcow2' });
      await operator.image('raw-debian', { disk_format: 'raw' });
    });

    it.each([
      ['debian', 'qcow2', 'QCOW2', ['beta', 'gamma'], 'alpha'],
      ['raw-debian', 'raw', 'RAW', ['alpha', 'beta'], 'gamma'],
    ])('places the image %s on hosts that can boot %s', async (image, format, word, hosts, other) => {
      const answer = await cloud.select({ image });
      expect(hostsOf(answer)).toEqual([hosts[0]]);
      expect(rankedOf(answer)).toEqual(hosts);
      expect(prefilterOf(answer, IMAGE_TYPE)).toEqual({
        name: IMAGE_TYPE,
        ran: true,
        why_not: null,
        because: `image disk_format ${format}`,
        added: { ...NOTHING_ADDED, root_required: [`COMPUTE_IMAGE_TYPE_${word}`] },
      });
      expect(reasonsOf(answer, 'placement')).toEqual({
        [other]: `the root provider lacks trait COMPUTE_IMAGE_TYPE_${word}`,
      });
    });

    it.each([
      ['of a volume', { image: 'debian', is_bfv: true }, 'the root disk is a volume'],
      ['without an image', {}, 'the request has no image'],
      ['whose image has no disk format', { image: {} }, 'the image has no disk format'],
    ])('adds nothing to a request %s, and gives the reason', async (_, body, whyNot) => {
      const answer = await cloud.select(body);
      expect(rankedOf(answer)).toEqual(['alpha', 'beta', 'gamma']);
      expect(prefilterOf(answer, IMAGE_TYPE)).toEqual({
        name: IMAGE_TYPE,
        ran: false,
        why_not: whyNot,
        because: null,
        added: NOTHING_ADDED,
      });
    });

    it('refuses an image that no host can boot, and names the missing trait', async () => {
      const answer = await cloud.select({ image: { disk_format: 'vhd' } });
      expect(answer).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.no_candidates' }] } });
      expect(decisionOf(answer).summary.nearest_misses).toEqual([{ hosts: 3, lack: 'trait COMPUTE_IMAGE_TYPE_VHD' }]);
    });
  });

  describe('traits', () => {
    beforeEach(async () => {
      await cloud.operator.setTraits('beta', ['CUSTOM_SSD']);
      await cloud.operator.setTraits('gamma', ['CUSTOM_SSD', 'CUSTOM_QUIET']);
    });
    const imageWith = (properties: object): object => ({ image: { properties } });
    const noSsd = 'the providers with room lack trait CUSTOM_SSD';

    it.each<[string, object, string[], Record<string, string>]>([
      ['required by the flavor', flavorWith({ 'trait:CUSTOM_SSD': 'required' }), ['beta', 'gamma'], { alpha: noSsd }],
      ['required by the image', imageWith({ 'trait:CUSTOM_SSD': 'required' }), ['beta', 'gamma'], { alpha: noSsd }],
      [
        'forbidden by the flavor',
        flavorWith({ 'trait:CUSTOM_QUIET': 'forbidden' }),
        ['alpha', 'beta'],
        { gamma: 'the provider with room has trait CUSTOM_QUIET, which is forbidden' },
      ],
      [
        'forbidden by the image',
        imageWith({ 'trait:CUSTOM_QUIET': 'forbidden' }),
        ['alpha', 'beta'],
        { gamma: 'the provider with room has trait CUSTOM_QUIET, which is forbidden' },
      ],
    ])('%s select the hosts', async (_, body, hosts, reasons) => {
      const answer = await cloud.select(body);
      expect(hostsOf(answer)).toEqual([hosts[0]]);
      expect(rankedOf(answer)).toEqual(hosts);
      expect(reasonsOf(answer, 'placement')).toEqual(reasons);
    });

    it('of flavor and image must be met together', async () => {
      await cloud.operator.flavor('fast', { extra_specs: { 'trait:CUSTOM_SSD': 'required' } });
      await cloud.operator.image('quiet', { properties: { 'trait:CUSTOM_QUIET': 'required' } });
      await cloud.operator.image('loud', { properties: { 'trait:CUSTOM_QUIET': 'forbidden' } });
      const quiet = await cloud.select({ flavor: 'fast', image: 'quiet' });
      expect(rankedOf(quiet)).toEqual(['gamma']);
      expect(decisionOf(quiet).placement.query).toMatch(/required=CUSTOM_QUIET(,|%2C)CUSTOM_SSD/);
      expect(rankedOf(await cloud.select({ flavor: 'fast', image: 'loud' }))).toEqual(['beta']);
    });

    it('that contradict each other are refused before the query to Placement', async () => {
      const body = {
        ...flavorWith({ 'trait:CUSTOM_SSD': 'required' }),
        ...imageWith({ 'trait:CUSTOM_SSD': 'forbidden' }),
      };
      const answer = await cloud.select(body);
      expect(answer).toMatchObject({ status: 400, json: { errors: [{ code: 'scheduler.invalid_request' }] } });
      expect(answer.json.errors[0].detail).toContain('CUSTOM_SSD');
      expect(decisionOf(answer)).toMatchObject({ outcome: 'refused', passes: [] });
    });

    it('of the whole request apply to the host itself', async () => {
      const answer = await cloud.select({ request_level_params: { root_required: ['CUSTOM_QUIET'] } });
      expect(rankedOf(answer)).toEqual(['gamma']);
      expect(reasonsOf(answer, 'placement')).toEqual({
        alpha: 'the root provider lacks trait CUSTOM_QUIET',
        beta: 'the root provider lacks trait CUSTOM_QUIET',
      });
    });
  });

  describe('tenant aggregates', () => {
    let shared: string;
    let red: string;
    beforeEach(async () => {
      const { operator } = cloud;
      shared = await operator.aggregate('shared', ['beta'], { filter_tenant_id: 'blue', filter_tenant_id_2: 'green' });
      red = await operator.aggregate('red', ['gamma'], { 'filter_tenant_id:r': 'red', owner: 'yellow' });
    });

    it.each<[string, string[], () => string]>([
      ['blue', ['beta'], () => shared],
      ['green', ['beta'], () => shared],
      ['red', ['gamma'], () => red],
    ])('restrict project %s to its hosts', async (project, hosts, aggregate) => {
      const answer = await cloud.select({ project_id: project });
      expect(hostsOf(answer)).toEqual(hosts);
      expect(rankedOf(answer)).toEqual(hosts);
      expect(prefilterOf(answer, TENANT)).toEqual({
        name: TENANT,
        ran: true,
        why_not: null,
        because: `host aggregates name project ${project}`,
        added: { ...NOTHING_ADDED, member_of: [[aggregate()]] },
      });
      expect(reasonsOf(answer, 'placement').alpha).toBe(
        `no provider with room is in an aggregate of ${project === 'red' ? 'red' : 'shared'}`,
      );
    });

    it.each(['yellow', 'nobody', 'blue,green'])('exclude project %s from no host', async (project) => {
      const answer = await cloud.select({ project_id: project });
      expect(rankedOf(answer)).toEqual(['alpha', 'beta', 'gamma']);
      expect(prefilterOf(answer, TENANT)).toMatchObject({
        ran: false,
        why_not: `no host aggregate names project ${project}`,
        added: NOTHING_ADDED,
      });
    });

    it('give a project with two of them both', async () => {
      await cloud.operator.ok('PATCH', `/scheduler/host_aggregates/${red}`, {
        metadata: { filter_tenant_id_x: 'blue' },
      });
      const answer = await cloud.select({ project_id: 'blue' });
      expect(rankedOf(answer)).toEqual(['beta', 'gamma']);
      expect(prefilterOf(answer, TENANT).added.member_of.map((set: string[]) => [...set].sort())).toEqual([
        [shared, red].sort(),
      ]);
    });

    it('take effect as soon as a host leaves', async () => {
      await cloud.operator.ok('DELETE', `/scheduler/host_aggregates/${shared}/hosts/beta`);
      await cloud.operator.ok('POST', `/scheduler/host_aggregates/${shared}/hosts`, { host: 'alpha' });
      expect(rankedOf(await cloud.select({ project_id: 'blue' }))).toEqual(['alpha']);
    });
  });

  describe('isolated aggregates', () => {
    let licensed: string;
    const LICENCE = { 'trait:CUSTOM_LICENCE': 'required' };
    const VAULT = { 'trait:CUSTOM_VAULT': 'required' };
    beforeEach(async () => {
      const { operator } = cloud;
      await operator.setTraits('alpha', ['CUSTOM_LICENCE', 'CUSTOM_VAULT']);
      await operator.setTraits('beta', ['CUSTOM_LICENCE', 'CUSTOM_VAULT']);
      licensed = await operator.aggregate('licensed', ['alpha'], { ...LICENCE, ...VAULT });
      // A request without any of the traits.
      const nothing = {
        'trait:CUSTOM_OTHER': 'forbidden',
        'trait:CUSTOM_ELSE': 'Required',
        'trait1:CUSTOM_X': 'required',
      };
      await operator.aggregate('open', ['beta', 'gamma'], nothing);
    });

    it.each<[string, object, string[]]>([
      ['none of them', {}, ['beta', 'gamma']],
      ['one of them in the flavor', flavorWith(LICENCE), ['beta']],
      ['one of them in the image', { image: { properties: VAULT } }, ['beta']],
      [
        'one, and the other only on the root',
        { ...flavorWith(LICENCE), request_level_params: { root_required: ['CUSTOM_VAULT'] } },
        ['beta'],
      ],
    ])('are forbidden to a request with %s', async (_, body, hosts) => {
      const answer = await cloud.select(body);
      expect(rankedOf(answer)).toEqual(hosts);
      expect(prefilterOf(answer, ISOLATED)).toEqual({
        name: ISOLATED,
        ran: true,
        why_not: null,
        because: 'the request lacks traits that host aggregates ask for: licensed',
        added: { ...NOTHING_ADDED, forbidden_aggregates: [licensed] },
      });
      expect(decisionOf(answer).placement.query).toMatch(new RegExp(`member_of=(!|%21)in(:|%3A)${licensed}`));
      expect(reasonsOf(answer, 'placement').alpha).toBe('the root provider is in a forbidden aggregate (licensed)');
    });

    it.each<[string, object]>([
      ['by the flavor', flavorWith({ ...LICENCE, ...VAULT })],
      ['by the image', { image: { properties: { ...LICENCE, ...VAULT } } }],
      ['by flavor and image together', { ...flavorWith(LICENCE), image: { properties: VAULT } }],
      [
        'by the flavor, image traits besides',
        { ...flavorWith({ ...LICENCE, ...VAULT }), image: { properties: VAULT } },
      ],
    ])('are allowed for a request that covers all their traits %s', async (_, body) => {
      const answer = await cloud.select(body);
      expect(rankedOf(answer)).toEqual(['alpha', 'beta']);
      expect(prefilterOf(answer, ISOLATED)).toMatchObject({
        ran: false,
        why_not: 'no host aggregate asks for a trait that the request lacks',
        added: NOTHING_ADDED,
      });
    });

    it('have precedence over a zone that contains them', async () => {
      await cloud.operator.ok('PATCH', `/scheduler/host_aggregates/${licensed}`, { availability_zone: 'vault' });
      const answer = await cloud.select({ availability_zone: 'vault' });
      expect(answer).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.no_candidates' }] } });
      expect(prefilterOf(answer, ZONE).added.member_of).toEqual([[licensed]]);
      expect(prefilterOf(answer, ISOLATED).added.forbidden_aggregates).toEqual([licensed]);
      const covered = await cloud.select({ availability_zone: 'vault', ...flavorWith({ ...LICENCE, ...VAULT }) });
      expect(hostsOf(covered)).toEqual(['alpha']);
    });
  });

  it('combine: zone, tenant and image type at once', async () => {
    const { operator } = cloud;
    await operator.setTraits('beta', ['COMPUTE_IMAGE_TYPE_QCOW2']);
    await operator.setTraits('gamma', ['COMPUTE_IMAGE_TYPE_QCOW2']);
    const zone = await operator.aggregate('zone', ['alpha', 'beta'], { availability_zone: 'harbour' });
    const tenant = await operator.aggregate('tenant', ['beta', 'gamma'], { filter_tenant_id: 'blue' });
    const answer = await cloud.select({
      project_id: 'blue',
      availability_zone: 'harbour',
      image: { disk_format: 'qcow2' },
    });
    expect(hostsOf(answer)).toEqual(['beta']);
    expect(rankedOf(answer)).toEqual(['beta']);
    expect(prefilterOf(answer, TENANT).added.member_of).toEqual([[tenant]]);
    expect(prefilterOf(answer, ZONE).added.member_of).toEqual([[zone]]);
    expect(decisionOf(answer).placement.hosts).toBe(1);
  });
});

describe.each(testDatabaseKinds())('prefilters by default, on %s', (kind) => {
  const cloud = withCloud(kind, {});

  it('are off if they have a switch, and report it', async () => {
    await cloud.operator.aggregate('blue', ['gamma'], { filter_tenant_id: 'blue', 'trait:CUSTOM_X': 'required' });
    const answer = await cloud.select({ project_id: 'blue', image: { disk_format: 'qcow2' } });
    expect(rankedOf(answer)).toEqual(['alpha', 'beta', 'gamma']);
    for (const name of [TENANT, IMAGE_TYPE, ISOLATED]) {
      expect(prefilterOf(answer, name)).toMatchObject({ ran: false, why_not: 'switched off', added: NOTHING_ADDED });
    }
    expect(prefilterOf(answer, ZONE)).toMatchObject({ ran: false, why_not: 'no zone is requested' });
  });

  describe('availability zone', () => {
    let harbour: string;
    let lagoon: string;
    beforeEach(async () => {
      harbour = await cloud.operator.aggregate('harbour', ['alpha'], { availability_zone: 'harbour' });
      lagoon = await cloud.operator.aggregate('lagoon', ['beta'], { availability_zone: 'lagoon' });
    });

    it.each<[string, string, () => object, string]>([
      ['lagoon', 'beta', () => ({ member_of: [[lagoon]] }), 'zone lagoon'],
      ['harbour', 'alpha', () => ({ member_of: [[harbour]] }), 'zone harbour'],
      [
        'nova',
        'gamma',
        () => ({ forbidden_aggregates: expect.arrayContaining([harbour, lagoon]) as unknown }),
        'default zone nova: hosts in no other zone',
      ],
    ])('%s has host %s only', async (zone, host, added, because) => {
      const answer = await cloud.select({ availability_zone: zone });
      expect(hostsOf(answer)).toEqual([host]);
      expect(rankedOf(answer)).toEqual([host]);
      expect(answer.json.selections[0].selected.availability_zone).toBe(zone);
      expect(prefilterOf(answer, ZONE)).toEqual({
        name: ZONE,
        ran: true,
        why_not: null,
        because,
        added: { ...NOTHING_ADDED, ...added() },
      });
    });

    it('of an unknown name is refused with the name, and nothing is placed', async () => {
      const answer = await cloud.select({ availability_zone: 'atlantis' });
      expect(answer).toMatchObject({ status: 400, json: { errors: [{ code: 'scheduler.invalid_request' }] } });
      expect(answer.json.errors[0].detail).toContain(
        "'availability_zone' names the zone 'atlantis', which does not exist",
      );
      expect(decisionOf(answer)).toMatchObject({ outcome: 'refused', placement: null });
      expect(await cloud.operator.instances()).toEqual([]);
    });

    it('that is not named allows every host', async () => {
      expect(rankedOf(await cloud.select())).toEqual(['alpha', 'beta', 'gamma']);
    });

    it('grows and shrinks with its hosts', async () => {
      await cloud.operator.ok('POST', `/scheduler/host_aggregates/${lagoon}/hosts`, { host: 'gamma' });
      expect(rankedOf(await cloud.explain({ availability_zone: 'lagoon' }))).toEqual(['beta', 'gamma']);
      const none = await cloud.select({ availability_zone: 'nova' });
      expect(none).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.no_candidates' }] } });
    });
  });

  describe('a disabled host', () => {
    it('is not returned by Placement until it is enabled again', async () => {
      expect(rankedOf(await cloud.explain())).toEqual(['alpha', 'beta', 'gamma']);
      const off = { status: 'disabled', disabled_reason: 'new memory' };
      await cloud.operator.ok('PATCH', '/scheduler/services/alpha', off);
      expect(await cloud.operator.traitsOf('alpha')).toContain('COMPUTE_STATUS_DISABLED');
      const without = await cloud.select();
      expect(hostsOf(without)).toEqual(['beta']);
      expect(rankedOf(without)).toEqual(['beta', 'gamma']);
      expect(prefilterOf(without, STATUS)).toEqual({
        name: STATUS,
        ran: true,
        why_not: null,
        because: 'always',
        added: { ...NOTHING_ADDED, root_forbidden: ['COMPUTE_STATUS_DISABLED'] },
      });
      expect(decisionOf(without).placement).toMatchObject({ hosts: 2 });
      expect(reasonsOf(without, 'placement')).toEqual({
        alpha: expect.stringMatching(/^the compute service is disabled: new memory \(since \d{4}-\S+Z\)$/),
      });
      await cloud.operator.ok('PATCH', '/scheduler/services/alpha', { status: 'enabled' });
      expect(await cloud.operator.traitsOf('alpha')).not.toContain('COMPUTE_STATUS_DISABLED');
      expect(hostsOf(await cloud.select())).toEqual(['alpha']);
    });

    it('stays excluded after its traits were overwritten: the filter reads the service', async () => {
      await cloud.operator.ok('PATCH', '/scheduler/services/alpha', { status: 'disabled', disabled_reason: 'smoke' });
      await cloud.operator.setTraits('alpha', []);
      const answer = await cloud.select();
      expect(decisionOf(answer).placement.hosts).toBe(3);
      expect(rankedOf(answer)).toEqual(['beta', 'gamma']);
      expect(reasonsOf(answer, 'ComputeFilter')).toEqual({ alpha: 'the compute service is disabled: smoke' });
    });

    it('differs from one that is down: Placement returns that, and the filter rejects it', async () => {
      await cloud.operator.ok('PATCH', '/scheduler/services/alpha', { forced_down: true });
      expect(await cloud.operator.traitsOf('alpha')).toEqual([]);
      const answer = await cloud.select();
      expect(decisionOf(answer).placement.hosts).toBe(3);
      expect(rankedOf(answer)).toEqual(['beta', 'gamma']);
      expect(reasonsOf(answer, 'ComputeFilter')).toEqual({ alpha: 'the compute service is forced down' });
    });

    it('keeps its instances; without any enabled host the refusal names the cause', async () => {
      const before = await cloud.select();
      const uuid = String(before.json.selections[0].instance_uuid);
      for (const host of ['alpha', 'beta', 'gamma']) {
        await cloud.operator.ok('PATCH', `/scheduler/services/${host}`, { status: 'disabled' });
      }
      const answer = await cloud.select();
      expect(answer).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.no_candidates' }] } });
      expect(decisionOf(answer).summary).toMatchObject({
        rejected: { 'placement.forbidden_trait': 3 },
        nearest_misses: [{ hosts: 3, lack: 'freedom from trait COMPUTE_STATUS_DISABLED' }],
      });
      expect(await cloud.operator.instances()).toEqual([uuid]);
    });
  });
});

describe.each(testDatabaseKinds())('required tenant aggregates, on %s', (kind) => {
  const cloud = withCloud(kind, {
    BERTH_SCHEDULER__LIMIT_TENANTS_TO_PLACEMENT_AGGREGATE: 'true',
    BERTH_SCHEDULER__PLACEMENT_AGGREGATE_REQUIRED_FOR_TENANTS: 'true',
  });

  it('refuse projects that no host aggregate names', async () => {
    await cloud.operator.aggregate('blue', ['beta'], { filter_tenant_id: 'blue' });
    expect(hostsOf(await cloud.select({ project_id: 'blue' }))).toEqual(['beta']);
    const answer = await cloud.select({ project_id: 'green' });
    expect(answer).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.no_valid_host' }] } });
    expect(answer.json.errors[0].detail).toContain(
      'No valid host was found. Scheduling failed: No hosts available for tenant',
    );
    expect(decisionOf(answer)).toMatchObject({ outcome: 'no_valid_host', placement: null, passes: [] });
    expect(prefilterOf(answer, TENANT)).toMatchObject({
      refused: { code: 'no_aggregate', message: 'No hosts available for tenant' },
    });
  });

  it("find no host if the project's aggregate is empty", async () => {
    await cloud.operator.aggregate('blue', [], { filter_tenant_id: 'blue' });
    const answer = await cloud.select({ project_id: 'blue' });
    expect(answer).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.no_candidates' }] } });
  });
});

describe.each(testDatabaseKinds())('configured zones, on %s', (kind) => {
  const cloud = withCloud(kind, { BERTH_DEFAULT__DEFAULT_SCHEDULE_ZONE: 'lagoon' });

  it('apply to requests without a zone', async () => {
    await cloud.operator.aggregate('lagoon', ['gamma'], { availability_zone: 'lagoon' });
    const answer = await cloud.select();
    expect(hostsOf(answer)).toEqual(['gamma']);
    expect(prefilterOf(answer, ZONE)).toMatchObject({ ran: true, because: 'zone lagoon' });
    expect(hostsOf(await cloud.select({ availability_zone: 'nova' }))).toEqual(['alpha']);
  });
});

describe.each(testDatabaseKinds())('nova_compat decisions, on %s', (kind) => {
  const cloud = withCloud(kind, { BERTH_SCHEDULER__NOVA_COMPAT: 'true' });

  it.each(['atlantis', 'nova'])('allow every host for zone %s', async (zone) => {
    await cloud.operator.aggregate('harbour', ['alpha'], { availability_zone: 'harbour' });
    const answer = await cloud.select({ availability_zone: zone });
    expect(rankedOf(answer)).toEqual(['alpha', 'beta', 'gamma']);
    expect(prefilterOf(answer, ZONE)).toMatchObject({ ran: false, why_not: `no host aggregate is zone ${zone}` });
  });
});

/** Hosts alpha and beta run Linux, gamma Windows; all images but one have a type. */
async function partition(operator: Operator): Promise<{ readonly linux: string; readonly windows: string }> {
  await operator.image('windows-server', { properties: { os_type: 'windows' } });
  await operator.image('debian', { properties: { os_type: 'linux' } });
  await operator.image('mystery', {});
  return {
    linux: await operator.aggregate('linux-hosts', ['alpha', 'beta']),
    windows: await operator.aggregate('windows-hosts', ['gamma'], { os_type: 'windows' }),
  };
}

describe.each(testDatabaseKinds())('Windows and Linux separated, on %s', (kind) => {
  const cloud = withCloud(kind, { BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: `ComputeFilter,${ISOLATION}` });
  let linux: string;
  beforeEach(async () => {
    ({ linux } = await partition(cloud.operator));
  });
  const notesOf = (answer: TestResponse): Record<string, string> => {
    const notes = decisionOf(answer).passes[0].passed_because as { host: string; filter: string; message: string }[];
    for (const { filter } of notes) expect(filter).toBe(ISOLATION);
    return Object.fromEntries(notes.map(({ host, message }) => [host, message]));
  };
  const cure = (): Promise<unknown> =>
    cloud.operator.ok('PATCH', `/scheduler/host_aggregates/${linux}/metadata`, { metadata: { os_type: 'linux' } });

  it('the pitfall: hosts whose aggregate lacks the key accept a Windows image, and the decision explains it', async () => {
    await cloud.operator.report('lone', 2_048);
    const answer = await cloud.select({ image: 'windows-server' });
    expect(hostsOf(answer)).toEqual(['alpha']);
    expect(rankedOf(answer)).toEqual(['alpha', 'beta', 'gamma', 'lone']);
    expect(notesOf(answer)).toEqual({
      alpha: 'passed because the host aggregates linux-hosts have no key os_type',
      beta: 'passed because the host aggregates linux-hosts have no key os_type',
      lone: 'passed because the host is in no host aggregate that could name os_type',
    });
    expect(stageOf(answer, ISOLATION)).toMatchObject({ in: 4, out: 4 });
  });

  it('half of the separation works at once: Windows hosts accept no Linux image', async () => {
    const answer = await cloud.select({ image: 'debian' });
    expect(rankedOf(answer)).toEqual(['alpha', 'beta']);
    expect(reasonsOf(answer, ISOLATION)).toEqual({
      gamma: 'the image has os_type = "linux"; the host aggregates take windows',
    });
  });

  it('the remedy: every aggregate of hosts has the key', async () => {
    await cure();
    const windows = await cloud.select({ image: 'windows-server' });
    expect(hostsOf(windows)).toEqual(['gamma']);
    expect(rankedOf(windows)).toEqual(['gamma']);
    expect(reasonsOf(windows, ISOLATION)).toEqual({
      alpha: 'the image has os_type = "windows"; the host aggregates take linux',
      beta: 'the image has os_type = "windows"; the host aggregates take linux',
    });
    expect(notesOf(windows)).toEqual({});
    const debian = await cloud.select({ image: 'debian' });
    expect(rankedOf(debian)).toEqual(['alpha', 'beta']);
    expect(notesOf(debian)).toEqual({});
  });

  it('the rest of the pitfall: an image without a type goes to any host, which is noted', async () => {
    await cure();
    const answer = await cloud.select({ image: 'mystery' });
    expect(rankedOf(answer)).toEqual(['alpha', 'beta', 'gamma']);
    expect(notesOf(answer)).toEqual({
      alpha: 'passed because the image has no property os_type, which the host aggregates linux-hosts name',
      beta: 'passed because the image has no property os_type, which the host aggregates linux-hosts name',
      gamma: 'passed because the image has no property os_type, which the host aggregates windows-hosts name',
    });
  });

  it('a host of both types accepts both, with a comma or two aggregates', async () => {
    await cure();
    await cloud.operator.aggregate('more-windows', ['beta'], { os_type: 'windows' });
    expect(rankedOf(await cloud.select({ image: 'windows-server' }))).toEqual(['beta', 'gamma']);
    await cloud.operator.ok('PATCH', `/scheduler/host_aggregates/${linux}/metadata`, {
      metadata: { os_type: 'linux, windows' },
    });
    expect(rankedOf(await cloud.select({ image: 'windows-server' }))).toEqual(['alpha', 'beta', 'gamma']);
  });

  it('is checked again for a rebuild with another image', async () => {
    await cure();
    const rebuild = { scheduler_hints: { _nova_check_type: 'rebuild' }, force_hosts: ['alpha'] };
    const same = await cloud.select({ ...rebuild, image: 'debian' });
    expect(hostsOf(same)).toEqual(['alpha']);
    expect(await cloud.operator.instances()).toEqual([]);
    const other = await cloud.select({ ...rebuild, image: 'windows-server' });
    expect(other).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.no_valid_host' }] } });
    expect(reasonsOf(other, ISOLATION)).toEqual({
      alpha: 'the image has os_type = "windows"; the host aggregates take linux',
    });
  });
});

describe.each(testDatabaseKinds())('Windows and Linux strictly separated, on %s', (kind) => {
  const cloud = withCloud(kind, {
    BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: `ComputeFilter,${ISOLATION}`,
    BERTH_FILTER_SCHEDULER__AGGREGATE_IMAGE_PROPERTIES_ISOLATION_STRICT: 'os_type',
  });
  beforeEach(async () => {
    await partition(cloud.operator);
    await cloud.operator.report('lone', 2_048);
  });

  it('a host without the key accepts no image with a type', async () => {
    const answer = await cloud.select({ image: 'windows-server' });
    expect(hostsOf(answer)).toEqual(['gamma']);
    expect(rankedOf(answer)).toEqual(['gamma']);
    const reported = (aggregates: string): string =>
      `the image has os_type = "windows"; no host aggregate of the host (${aggregates}) has that key, as it must`;
    expect(reasonsOf(answer, ISOLATION)).toEqual({
      alpha: reported('linux-hosts'),
      beta: reported('linux-hosts'),
      lone: reported('none'),
    });
    expect(decisionOf(answer).passes[0].passed_because).toEqual([]);
  });

  it('an image without a type goes to hosts without the key', async () => {
    const answer = await cloud.select({ image: 'mystery' });
    expect(rankedOf(answer)).toEqual(['alpha', 'beta', 'lone']);
    expect(reasonsOf(answer, ISOLATION)).toEqual({
      gamma: 'the host aggregates take os_type = windows; the image does not have that property, as it must',
    });
  });
});
