// The prefilters without a switch, set up over REST: availability zones, disabled hosts, and nova_compat decisions.
import { testDatabaseKinds } from '../support/databases';
import { hostsOf } from './scheduler-cloud';
import { decisionOf, prefilterOf, rankedOf, reasonsOf } from './scheduler-operator';
import { NOTHING_ADDED, withCloud } from './three-hosts';

const IMAGE_TYPE = 'ImageTypePrefilter';
const TENANT = 'TenantAggregatePrefilter';
const ISOLATED = 'IsolatedAggregatesPrefilter';
const ZONE = 'AvailabilityZonePrefilter';
const STATUS = 'ComputeStatusPrefilter';

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
        alpha: expect.stringMatching(/^is disabled \(new memory, since \d\d:\d\dZ\)$/),
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
        cause: [{ kind: 'enabled' }],
      });
      expect(await cloud.operator.instances()).toEqual([uuid]);
    });
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
