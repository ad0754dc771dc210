// Batches and server groups over HTTP on both databases: policies, shared capacity within one request, atomicity,
// alternates, and the ways to name a host.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { allocationsOf, books, hostsOf, instance, OWNER, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { decisionOf, operatorOf, rankedOf, reasonsOf, stageOf } from './scheduler-operator';

const ANTI_AFFINITY = 'ServerGroupAntiAffinityFilter';
const AFFINITY = 'ServerGroupAffinityFilter';
const many = (count: number, from = 1): string[] => Array.from({ length: count }, (_, at) => instance(from + at));
const refusal = (code: string): object => ({ status: 409, json: { errors: [{ status: 409, code }] } });
const usedOf = (hosts: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const host of hosts) counts[host] = (counts[host] ?? 0) + 1;
  return counts;
};

interface Counters {
  readonly providers: readonly { readonly name: string; readonly generation: number }[];
  readonly inventories: readonly { readonly used: number; readonly version: number }[];
}

const claimCounters = ({ database }: TestService): Promise<Counters> =>
  database.readSnapshot(async (sql) => ({
    providers: await sql.query('SELECT name, generation FROM resource_providers ORDER BY id'),
    inventories: await sql.query('SELECT used, version FROM inventories ORDER BY id'),
  }));

describe.each(testDatabaseKinds())('batches on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  beforeAll(async () => {
    const env = {
      BERTH_FILTER_SCHEDULER__WEIGHT_CLASSES:
        'RAMWeigher,ServerGroupSoftAffinityWeigher,ServerGroupSoftAntiAffinityWeigher',
      BERTH_FILTER_SCHEDULER__SOFT_AFFINITY_WEIGHT_MULTIPLIER: '10',
      BERTH_FILTER_SCHEDULER__SOFT_ANTI_AFFINITY_WEIGHT_MULTIPLIER: '10',
    };
    service = await startTestService(kind, { env });
    operator = operatorOf(service);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    await operator.report('alpha', 16_384);
    await operator.report('beta', 8_192);
    await operator.report('gamma', 4_096);
  });
  afterEach(async () => {
    expect((await books(service)).faults).toEqual([]);
    await operator.clear();
  });

  const ask = (body: object = {}): Promise<TestResponse> => select(service, body);
  const flavor = (memoryMb: number): object => ({ flavor: { name: 'f', vcpus: 1, memory_mb: memoryMb } });
  const alternatesOf = ({ json }: TestResponse): string[][] =>
    json.selections.map(({ alternates }: Json) => alternates.map(({ host }: Json) => host as string));
  const groupIs = async (group: string, members: readonly string[], hosts: readonly string[]): Promise<void> => {
    const found = await operator.groupOf(group);
    expect([...found.members].sort()).toEqual([...members].sort());
    expect([...found.hosts].sort()).toEqual([...hosts].sort());
  };
  const nothingIsLeft = async (instances: readonly string[], group: string): Promise<void> => {
    for (const uuid of instances) expect(await allocationsOf(service, uuid)).toEqual({});
    expect(await books(service)).toEqual({ consumers: 0, faults: [] });
    expect(await operator.instances()).toEqual([]);
    await groupIs(group, [], []);
  };

  describe('anti-affinity', () => {
    it("spreads three over three hosts, and refuses the fourth with the names of the members' hosts", async () => {
      const group = await operator.group('anti-affinity');
      const placed = await ask({ instances: many(3), instance_group: group });
      expect(hostsOf(placed)).toEqual(['alpha', 'beta', 'gamma']);
      await groupIs(group, many(3), ['alpha', 'beta', 'gamma']);
      const fourth = await ask({ instances: [instance(4)], scheduler_hints: { group } });
      expect(fourth).toMatchObject(refusal('scheduler.no_valid_host'));
      expect(stageOf(fourth, ANTI_AFFINITY)).toMatchObject({
        in: 3,
        out: 0,
        rejections: { by_code: { too_many_group_members: 3 } },
      });
      const full = expect.stringMatching(
        /^host runs 1 of at most 1 members of anti-affinity group \S+; add hosts or raise its max_server_per_host$/,
      );
      expect(reasonsOf(fourth, ANTI_AFFINITY)).toEqual({ alpha: full, beta: full, gamma: full });
      const { summary } = decisionOf(fourth);
      // The group by its name, and none of its members.
      expect(summary.sentence).toMatch(
        /: each runs a member of anti-affinity group [^\s;]+ \(add hosts or raise its max_server_per_host\)\.$/,
      );
      for (const uuid of many(3)) expect(summary.sentence).not.toContain(uuid);
      expect(summary.user_message).not.toMatch(/alpha|beta|gamma|Filter/);
      await groupIs(group, many(3), ['alpha', 'beta', 'gamma']);
    });

    it('refuses four at once as a whole: nothing remains of the three that fitted', async () => {
      const group = await operator.group('anti-affinity');
      const answer = await ask({ instances: many(4), instance_group: group });
      expect(answer).toMatchObject(refusal('scheduler.no_valid_host'));
      expect(decisionOf(answer).passes.map(({ selected }: Json) => selected?.host ?? null)).toEqual([
        'alpha',
        'beta',
        'gamma',
        null,
      ]);
      expect(stageOf(answer, ANTI_AFFINITY)).toMatchObject({ in: 1, out: 0 });
      await nothingIsLeft(many(4), group);
    });

    it('changes no provider, not even for a moment, if one of four finds no host', async () => {
      const group = await operator.group('anti-affinity');
      const before = await claimCounters(service);
      expect(await ask({ instances: many(4), instance_group: group })).toMatchObject(
        refusal('scheduler.no_valid_host'),
      );
      expect(await claimCounters(service)).toEqual(before);
      await nothingIsLeft(many(4), group);
    });

    it('with max_server_per_host 2 places at most two of them on a host', async () => {
      const group = await operator.group('anti-affinity', { max_server_per_host: 2 });
      const placed = await ask({ instances: many(6), instance_group: group });
      expect(usedOf(hostsOf(placed))).toEqual({ alpha: 2, beta: 2, gamma: 2 });
      const seventh = await ask({ instances: [instance(7)], instance_group: group });
      expect(seventh).toMatchObject(refusal('scheduler.no_valid_host'));
      expect(reasonsOf(seventh, ANTI_AFFINITY).alpha).toMatch(/^host runs 2 of at most 2 members /);
    });

    it('has room again on the host of a released member', async () => {
      const group = await operator.group('anti-affinity');
      await ask({ instances: many(3), instance_group: group });
      await operator.release(instance(2));
      await groupIs(group, [instance(1), instance(3)], ['alpha', 'gamma']);
      const next = await ask({ instances: [instance(4)], instance_group: group });
      expect(hostsOf(next)).toEqual(['beta']);
      expect(rankedOf(next)).toEqual(['beta']);
      await groupIs(group, [instance(1), instance(3), instance(4)], ['alpha', 'beta', 'gamma']);
    });

    it('has room again on the host of a member whose allocations were deleted before its release', async () => {
      const group = await operator.group('anti-affinity');
      await ask({ instances: many(3), instance_group: group });
      await operator.ok('DELETE', `/allocations/${instance(3)}`);
      await operator.release(instance(3));
      expect(hostsOf(await ask({ instances: [instance(4)], instance_group: group }))).toEqual(['gamma']);
    });

    it('counts members in host reports, and those just placed', async () => {
      const group = await operator.group('anti-affinity');
      await ask({ instances: [instance(1)], instance_group: group });
      await operator.report('alpha', 16_384, { instances: [{ uuid: instance(1), flavor: 'm1.small' }] });
      expect(hostsOf(await ask({ instances: many(2, 2), instance_group: group }))).toEqual(['beta', 'gamma']);
    });

    it('offers no alternate on a host of a member', async () => {
      const group = await operator.group('anti-affinity');
      await ask({ instances: [instance(1)], instance_group: group });
      const second = await ask({ instances: [instance(2)], instance_group: group });
      expect([hostsOf(second), alternatesOf(second)]).toEqual([['beta'], [['gamma']]]);
    });
  });

  describe('affinity', () => {
    it('puts all of them on the host of the first, though others have more room', async () => {
      const group = await operator.group('affinity');
      await operator.report('alpha', 16_384, { free_ram_mb: 4_096 });
      const placed = await ask({ instances: many(3), instance_group: group });
      expect(hostsOf(placed)).toEqual(['beta', 'beta', 'beta']);
      const later = await ask({ instances: [instance(4)], instance_group: group });
      expect(hostsOf(later)).toEqual(['beta']);
      expect(reasonsOf(later, AFFINITY)).toEqual({
        alpha: 'host alpha is none of the hosts of the affinity group: beta',
        gamma: 'host gamma is none of the hosts of the affinity group: beta',
      });
      await groupIs(group, many(4), ['beta']);
    });

    it('refuses members for which the host has no room', async () => {
      const group = await operator.group('affinity');
      await ask({ instances: [instance(1)], instance_group: group, ...flavor(16_000) });
      const answer = await ask({ instances: [instance(2)], instance_group: group });
      expect(answer).toMatchObject(refusal('scheduler.no_valid_host'));
      expect(decisionOf(answer).placement.hosts).toBe(2);
      expect(stageOf(answer, AFFINITY)).toMatchObject({ rejections: { by_code: { not_a_group_host: 2 } } });
    });

    it('lets the group move after all members were deleted', async () => {
      const group = await operator.group('affinity');
      await ask({ instances: [instance(1)], instance_group: group });
      await operator.release(instance(1));
      const answer = await ask({ instances: many(2, 2), instance_group: group, ignore_hosts: ['alpha'] });
      expect(hostsOf(answer)).toEqual(['beta', 'beta']);
    });
  });

  describe('soft policies', () => {
    it('soft affinity prefers the host of the others, and another one when it is full', async () => {
      const group = await operator.group('soft-affinity');
      const answer = await ask({ instances: many(4), instance_group: group, ...flavor(5_400) });
      // alpha takes three of 5 400 MiB; the fourth still finds a host.
      expect(hostsOf(answer)).toEqual(['alpha', 'alpha', 'alpha', 'beta']);
      const weigher = decisionOf(answer).passes[1].weighers.find(
        ({ name }: Json) => name === 'ServerGroupSoftAffinityWeigher',
      );
      expect(weigher.hosts).toEqual([
        { host: 'alpha', node: 'alpha', raw: 1, normalized: 1, multiplier: 10, score: 10 },
        { host: 'beta', node: 'beta', raw: 0, normalized: 0, multiplier: 10, score: 0 },
      ]);
    });

    it('soft anti-affinity spreads while it can, and doubles up after that', async () => {
      const group = await operator.group('soft-anti-affinity');
      const answer = await ask({ instances: many(5), instance_group: group });
      expect(hostsOf(answer)).toEqual(['alpha', 'beta', 'gamma', 'alpha', 'beta']);
      await groupIs(group, many(5), ['alpha', 'beta', 'gamma']);
    });

    it('without a group the free memory decides', async () => {
      expect(hostsOf(await ask({ instances: many(4) }))).toEqual(['alpha', 'alpha', 'alpha', 'alpha']);
    });
  });

  describe('usage', () => {
    it('of one instance counts for the next one, also in the weights', async () => {
      const answer = await ask({ instances: many(4), ...flavor(4_000) });
      expect(hostsOf(answer)).toEqual(['alpha', 'alpha', 'alpha', 'beta']);
      const raws = decisionOf(answer)
        .passes.filter(({ phase }: Json) => phase === 'select')
        .map(({ weighers }: Json) => weighers[0].hosts.find(({ host }: Json) => host === 'alpha')?.raw as number);
      expect(raws).toEqual([16_384, 12_384, 8_384, 4_384]);
    });

    it('counts for the next request before a host report', async () => {
      await ask({ instances: many(3), ...flavor(4_000) });
      const next = await ask({ instances: [instance(4)], ...flavor(4_000) });
      expect(hostsOf(next)).toEqual(['beta']);
      await operator.release(instance(1));
      expect(hostsOf(await ask({ instances: [instance(5)] }))).toEqual(['alpha']);
    });

    it('counts once after a report lists the instance', async () => {
      await ask({ instances: many(2), ...flavor(6_000) });
      await operator.report('alpha', 16_384, {
        free_ram_mb: 16_384 - 12_000,
        instances: many(2).map((uuid) => ({ uuid })),
      });
      const { json } = await ask({ instances: [instance(3)], dry_run: true });
      const alpha = json.decision.passes[0].weighers[0].hosts.find(({ host }: Json) => host === 'alpha');
      expect(alpha.raw).toBe(4_384);
    });
  });

  describe('atomicity', () => {
    it('releases every claim when the last instance finds no host', async () => {
      const group = await operator.group('soft-anti-affinity');
      const answer = await ask({ instances: many(8), instance_group: group, ...flavor(4_000) });
      expect(answer).toMatchObject(refusal('scheduler.no_valid_host'));
      expect(decisionOf(answer).summary.sentence).toMatch(/^7 of 8 instances fit; no host is left for instance 8: /);
      await nothingIsLeft(many(8), group);
      const dry = await ask({ instances: many(8), instance_group: group, ...flavor(4_000), dry_run: true });
      expect(dry).toMatchObject(refusal('scheduler.no_valid_host'));
      expect(decisionOf(dry).passes).toHaveLength(decisionOf(answer).passes.length);
      expect(hostsOf(await ask({ instances: many(7), instance_group: group, ...flavor(4_000) }))).toHaveLength(7);
    });

    it('releases every claim when a member already has allocations', async () => {
      const group = await operator.group('anti-affinity');
      const { uuid } = (await operator.ok('GET', '/resource_providers?name=gamma')).json.resource_providers[0];
      await operator.ok('PUT', `/allocations/${instance(2)}`, {
        allocations: { [uuid]: { resources: { VCPU: 1 } } },
        ...OWNER,
        consumer_generation: null,
        consumer_type: 'INSTANCE',
      });
      const answer = await ask({ instances: many(3), instance_group: group });
      expect(answer).toMatchObject(refusal('scheduler.generation_conflict'));
      expect(await operator.instances()).toEqual([]);
      await groupIs(group, [], []);
      expect((await books(service)).consumers).toBe(1);
    });

    it('with min_count places the instances that fit, and names the others', async () => {
      const group = await operator.group('anti-affinity');
      const answer = await ask({ instances: many(5), min_count: 2, instance_group: group });
      expect(answer.status).toBe(200);
      expect(answer.json.selections.map(({ selected }: Json) => selected?.host ?? null)).toEqual([
        'alpha',
        'beta',
        'gamma',
        null,
        null,
      ]);
      expect(answer.json.decision).toMatchObject({ outcome: 'placed', code: null });
      expect(answer.json.decision.summary.sentence).toContain(`${instance(4)} found no host`);
      await groupIs(group, many(3), ['alpha', 'beta', 'gamma']);
      expect([...(await operator.instances())].sort()).toEqual(many(3));
    });

    it('with min_count refuses a smaller number, and leaves nothing behind', async () => {
      const group = await operator.group('anti-affinity');
      const answer = await ask({ instances: many(5), min_count: 4, instance_group: group });
      expect(answer).toMatchObject(refusal('scheduler.no_valid_host'));
      await nothingIsLeft(many(5), group);
    });
  });

  describe('alternates', () => {
    it('of one instance are the next best hosts, not claimed', async () => {
      const answer = await ask({ instances: [instance(1)] });
      expect([hostsOf(answer), alternatesOf(answer)]).toEqual([['alpha'], [['beta', 'gamma']]]);
      const [, ...others] = (await operator.ok('GET', '/resource_providers')).json.resource_providers as Json[];
      for (const { uuid } of others) {
        const { json } = await operator.ok('GET', `/resource_providers/${uuid}/usages`);
        expect(Object.values(json.usages as object)).toEqual([0, 0, 0]);
      }
      const shown = (await operator.ok('GET', `/scheduler/instances/${instance(1)}`)).json;
      expect(shown.alternates.map(({ host }: Json) => host)).toEqual(['beta', 'gamma']);
    });

    it('of a batch are hosts without its instances, the same for all', async () => {
      await operator.report('delta', 2_048);
      const group = await operator.group('anti-affinity');
      const answer = await ask({ instances: many(2), instance_group: group });
      expect([hostsOf(answer), alternatesOf(answer)]).toEqual([
        ['alpha', 'beta'],
        [
          ['gamma', 'delta'],
          ['gamma', 'delta'],
        ],
      ]);
      expect(decisionOf(answer).passes.at(-1)).toMatchObject({ phase: 'alternates', selected: null, claims: [] });
    });

    it('are limited by max_attempts, and can be disabled', async () => {
      await operator.report('delta', 2_048);
      expect(alternatesOf(await ask({ instances: [instance(1)] }))).toEqual([['beta', 'gamma']]);
      expect(alternatesOf(await ask({ instances: [instance(2)], return_alternates: false }))).toEqual([[]]);
    });

    it('contain allocations that a plain PUT can claim', async () => {
      const answer = await ask({ instances: [instance(1)] });
      const [beta] = answer.json.selections[0].alternates;
      await operator.ok('PUT', `/allocations/${instance(9)}`, {
        ...OWNER,
        consumer_generation: null,
        consumer_type: 'INSTANCE',
        ...beta.allocation_request,
      });
      expect(Object.keys(await allocationsOf(service, instance(9)))).toEqual([beta.uuid]);
    });
  });

  describe('a named host', () => {
    it('that is forced bypasses the filters', async () => {
      await operator.ok('PATCH', '/scheduler/services/gamma', { forced_down: true });
      expect(rankedOf(await ask({ instances: [instance(1)] }))).toEqual(['alpha', 'beta']);
      const forced = await ask({ instances: [instance(2)], force_hosts: ['gamma'] });
      expect(hostsOf(forced)).toEqual(['gamma']);
      expect(decisionOf(forced).passes[0].stages.map(({ name }: Json) => name)).toEqual(['preselection']);
      expect(alternatesOf(forced)).toEqual([[]]);
    });

    it('that is forced still needs room', async () => {
      const answer = await ask({ instances: [instance(1)], force_hosts: ['gamma'], ...flavor(5_000) });
      expect(answer).toMatchObject(refusal('scheduler.no_candidates'));
      const { nearest, sentence } = decisionOf(answer).summary;
      expect(nearest).toEqual([]);
      expect(sentence).toMatch(/can never hold 5000 MEMORY_MB \(max_unit 4096\)/);
    });

    it('that is forced must satisfy the policy of a group', async () => {
      const group = await operator.group('anti-affinity');
      await ask({ instances: [instance(1)], instance_group: group });
      for (const dry_run of [true, false]) {
        const body = { instances: [instance(2)], instance_group: group, force_hosts: ['alpha'], dry_run };
        const answer = await ask(body);
        expect(answer).toMatchObject(refusal('scheduler.no_valid_host'));
        expect(decisionOf(answer).passes[0].claims).toMatchObject([{ host: 'alpha', outcome: 'policy', attempts: 0 }]);
      }
      await groupIs(group, [instance(1)], ['alpha']);
    });

    it('that is a destination goes through the filters', async () => {
      const to = (host: string): object => ({ requested_destination: { host } });
      expect(hostsOf(await ask({ instances: [instance(1)], ...to('beta') }))).toEqual(['beta']);
      await operator.ok('PATCH', '/scheduler/services/beta', { forced_down: true });
      const answer = await ask({ instances: [instance(2)], ...to('beta') });
      expect(answer).toMatchObject(refusal('scheduler.no_valid_host'));
      expect(reasonsOf(answer, 'ComputeFilter')).toEqual({ beta: 'the compute service is forced down' });
    });

    it.each([{ force_hosts: ['atlantis'] }, { requested_destination: { host: 'atlantis' } }])(
      'that is unknown is reported as such: %j',
      async (body) => {
        const answer = await ask({ instances: [instance(1)], ...body });
        expect(answer).toMatchObject(refusal('scheduler.no_valid_host'));
        expect(answer.json.errors[0].detail).toContain('No such host - host: atlantis node: None');
      },
    );

    it('that is ignored is left out, and the decision reports it', async () => {
      const answer = await ask({ instances: [instance(1)], ignore_hosts: ['ALPHA'] });
      expect(hostsOf(answer)).toEqual(['beta']);
      expect(stageOf(answer, 'preselection').rejections.hosts).toMatchObject([
        { host: 'alpha', code: 'ignored', message: 'the request ignores this host' },
      ]);
    });

    it('of a rebuild is only checked: nothing is claimed', async () => {
      const group = await operator.group('anti-affinity');
      await operator.report('alpha', 16_384, { supported_instances: [['x86_64', 'kvm', 'hvm']] });
      await ask({ instances: [instance(1)], instance_group: group });
      const check = (architecture: string): Promise<TestResponse> =>
        ask({
          instances: [instance(1)],
          instance_group: group,
          force_hosts: ['alpha'],
          ...flavor(99_999),
          scheduler_hints: { _nova_check_type: 'rebuild' },
          image: { properties: { hw_architecture: architecture } },
        });
      const before = await allocationsOf(service, instance(1));
      expect(hostsOf(await check('x86_64'))).toEqual(['alpha']);
      const answer = await check('aarch64');
      expect(answer).toMatchObject(refusal('scheduler.no_valid_host'));
      expect(reasonsOf(answer, 'ImagePropertiesFilter').alpha).toContain('aarch64');
      expect(await allocationsOf(service, instance(1))).toEqual(before);
    });
  });
});
