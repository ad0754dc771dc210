// The scenarios of the prefilter chapter with the optional prefilters, set up over REST: the chosen hosts, and the
// explanation in the decision.
import { testDatabaseKinds } from '../support/databases';
import { flavorWith, hostsOf } from './scheduler-cloud';
import { decisionOf, prefilterOf, rankedOf, reasonsOf } from './scheduler-operator';
import { NOTHING_ADDED, withCloud } from './three-hosts';

const IMAGE_TYPE = 'ImageTypePrefilter';
const TENANT = 'TenantAggregatePrefilter';
const ISOLATED = 'IsolatedAggregatesPrefilter';
const ZONE = 'AvailabilityZonePrefilter';

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
        [other]: `lacks trait COMPUTE_IMAGE_TYPE_${word} (image disk_format ${format})`,
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
      expect(decisionOf(answer).summary.nearest).toMatchObject([
        { hosts: 3, condition: { kind: 'trait', names: ['COMPUTE_IMAGE_TYPE_VHD'] } },
      ]);
    });
  });

  describe('traits', () => {
    beforeEach(async () => {
      await cloud.operator.setTraits('beta', ['CUSTOM_SSD']);
      await cloud.operator.setTraits('gamma', ['CUSTOM_SSD', 'CUSTOM_QUIET']);
    });
    const imageWith = (properties: object): object => ({ image: { properties } });
    const noSsd = (origin: string): string => `lacks trait CUSTOM_SSD (${origin})`;

    it.each<[string, object, string[], Record<string, string>]>([
      [
        'required by the flavor',
        flavorWith({ 'trait:CUSTOM_SSD': 'required' }),
        ['beta', 'gamma'],
        { alpha: noSsd('flavor m1.small') },
      ],
      [
        'required by the image',
        imageWith({ 'trait:CUSTOM_SSD': 'required' }),
        ['beta', 'gamma'],
        { alpha: noSsd('image') },
      ],
      [
        'forbidden by the flavor',
        flavorWith({ 'trait:CUSTOM_QUIET': 'forbidden' }),
        ['alpha', 'beta'],
        { gamma: 'has the forbidden trait CUSTOM_QUIET (flavor m1.small)' },
      ],
      [
        'forbidden by the image',
        imageWith({ 'trait:CUSTOM_QUIET': 'forbidden' }),
        ['alpha', 'beta'],
        { gamma: 'has the forbidden trait CUSTOM_QUIET (image)' },
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
        alpha: 'lacks trait CUSTOM_QUIET (request)',
        beta: 'lacks trait CUSTOM_QUIET (request)',
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
        `is outside of host aggregate ${project === 'red' ? 'red' : 'shared'} (host aggregates name project ${project})`,
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
      expect(reasonsOf(answer, 'placement').alpha).toBe(
        'is in the forbidden host aggregate licensed (the request lacks traits that host aggregates ask for: licensed)',
      );
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
      refused: {
        code: 'no_aggregate',
        message: 'No hosts available for tenant green: no host aggregate names it. blue has filter_tenant_id=blue',
      },
    });
    await cloud.operator.aggregate('both', [], { filter_tenant_id: 'blue,green' });
    expect((await cloud.select({ project_id: 'green' })).json.errors[0].detail).toContain(
      'both has filter_tenant_id=blue,green, blue has filter_tenant_id=blue; here a value is one project, commas included',
    );
  });

  it("find no host if the project's aggregate is empty", async () => {
    await cloud.operator.aggregate('blue', [], { filter_tenant_id: 'blue' });
    const answer = await cloud.select({ project_id: 'blue' });
    expect(answer).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.no_candidates' }] } });
  });
});
