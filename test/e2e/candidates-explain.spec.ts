// GET /allocation_candidates/explain: what became of every tree, with numbers, on both databases.
import { SEARCH_LIMITS } from '../../src/platform/config/limits/placement';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { aggregateUuid, providerUuid } from '../world/world-description';
import type { Json } from './scheduler-cloud';
import { clear, loadWorld } from './scheduler-cloud';

const WORLD = `
  full      VCPU:16/14 MEMORY_MB:4096  {CUSTOM_X}  @rack
  fits      VCPU:16 MEMORY_MB:4096     {CUSTOM_X}  @rack
  second    VCPU:16 MEMORY_MB:4096     {CUSTOM_X}  @rack
  coarse    VCPU:16(max=2) MEMORY_MB:4096
  numa      MEMORY_MB:4096
    numa0   VCPU:4/3
    numa1   VCPU:4/2
  bare
  pool      DISK_GB:1000 {SHARES} @rack
`;
const ROOTS = 7;

describe.each(testDatabaseKinds())('the explanation of candidates on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
    await loadWorld(service, WORLD);
  });
  afterAll(async () => {
    await clear(service);
    await service.stop();
  });

  const ask = (query: string, version = 'latest'): Promise<TestResponse> =>
    service.request({ path: `/allocation_candidates/explain?${query}`, version });
  const explain = async (query: string): Promise<Json> => {
    const { status, json } = await ask(query);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(json)}`);
    return json;
  };
  /** The root's name and the sentence of its rejection. */
  const reported = ({ rejections }: Json): Record<string, string> => {
    const names = ['full', 'fits', 'second', 'coarse', 'numa', 'bare', 'pool'];
    const nameOf = new Map(names.map((name) => [providerUuid(name), name]));
    return Object.fromEntries(rejections.map(({ root, message }: Json) => [nameOf.get(root), message]));
  };

  it.each([
    ['resources=VCPU:1,MEMORY_MIB:1', 'No such resource class MEMORY_MIB.', " Did you mean 'MEMORY_MB'?"],
    ['resources=VCPU:1&required=CUSTOM_XY', 'No such trait(s): CUSTOM_XY.', " Did you mean 'CUSTOM_X'?"],
  ])('suggests a name for %s, which the route of Placement does not', async (query, message, suggestion) => {
    const detailOf = ({ json }: TestResponse): string => json.errors[0].detail;
    expect(detailOf(await ask(query))).toContain(`${message}${suggestion}`);
    const placement = detailOf(await service.request({ path: `/allocation_candidates?${query}` }));
    expect(placement).toContain(message);
    expect(placement).not.toContain('mean');
  });

  it('has every tree in the answer or in one rejection, with numbers', async () => {
    const json = await explain('resources=VCPU:4&required=CUSTOM_X');
    expect(json).toMatchObject({
      microversion: '1.39',
      query: 'resources=VCPU:4&required=CUSTOM_X',
      trees: { total: ROOTS, in_answer: 2, rejected: 5, not_reached: 0 },
      candidates: { returned: 2, truncated: false },
      by_code: { 'room.not_enough_left': 2, 'class.no_inventory': 2, 'room.above_max_unit': 1 },
      truncated: false,
    });
    expect(json.request_id).toMatch(/^req-/);
    expect(reported(json)).toEqual({
      full: 'VCPU: 14 used + 4 asked > 16 capacity',
      coarse: 'VCPU: 4 asked > max_unit 2',
      numa: 'VCPU: 2 used + 4 asked > 4 capacity on numa1, the nearest of 2 providers',
      bare: 'no inventory of VCPU',
      pool: 'no inventory of VCPU',
    });
    expect(json.groups).toEqual([
      {
        suffix: '',
        stages: [
          { stage: 'class', in: 9, out: 6 },
          { stage: 'room', in: 6, out: 2 },
          { stage: 'traits', in: 2, out: 2 },
          { stage: 'aggregates', in: 2, out: 2 },
          { stage: 'in_tree', in: 2, out: 2 },
        ],
        first_empty: null,
      },
    ]);
    expect(json).not.toHaveProperty('explained');
  });

  it.each<[string, string, object]>([
    [
      'an amount that no provider can give, with the largest that one can',
      'resources=VCPU:100',
      {
        sentence: 'No provider tree satisfies resources=VCPU:100 (at most 16 on one provider).',
        cause: { kind: 'unmet', conditions: ['resources=VCPU:100'] },
        conditions: [{ condition: 'resources=VCPU:100', satisfied: 0, failed: ROOTS, largest: 16 }],
        fixes: [{ kind: 'amount', conditions: ['resources=VCPU:100'], amount: 16, trees: 2 }],
      },
    ],
    ['nothing if there are candidates', 'resources=VCPU:4', { sentence: null, cause: null }],
    [
      'more groups than there are devices, each on a provider of its own',
      'resources1=DISK_GB:1&resources2=DISK_GB:1&group_policy=isolate',
      {
        sentence: expect.stringMatching(
          /^No provider tree satisfies all conditions together; \d+ of \d+, for example \S+: .*provider/,
        ),
        cause: null,
      },
    ],
  ])('opens with the cause: %s', async (_, query, expected) => expect(await explain(query)).toMatchObject(expected));

  it.each<[string, string]>([
    ['class', 'resources=PGPU:1'],
    ['room', 'resources=VCPU:100'],
    ['traits', 'resources=VCPU:1&required=HW_CPU_X86_AVX2'],
    ['traits', 'resources=VCPU:1,MEMORY_MB:1&required=HW_CPU_X86_AVX2'],
    ['aggregates', `resources=VCPU:1&member_of=${aggregateUuid('nowhere')}`],
    ['in_tree', `resources=VCPU:1&in_tree=${providerUuid('bare')}`],
  ])('finds the first empty stage of a group: %s', async (stage, query) => {
    const json = await explain(query);
    expect(json.trees).toEqual({ total: ROOTS, in_answer: 0, rejected: ROOTS, not_reached: 0 });
    expect(json.groups.map((group: Json) => group.first_empty)).toEqual([stage]);
    expect(json.rejections).toHaveLength(ROOTS);
  });

  it.each<[string, string, string]>([
    ['root', 'resources=VCPU:1&root_required=MISC_SHARES_VIA_AGGREGATE', 'root'],
    ['sharing', `resources=DISK_GB:1&resources1=VCPU:3&in_tree1=${providerUuid('numa')}`, 'sharing'],
    ['group_policy', 'resources1=DISK_GB:1&resources2=DISK_GB:1&group_policy=isolate', 'group_policy'],
    ['same_subtree', 'resources1=DISK_GB:1&resources2=VCPU:1&same_subtree=1,2&group_policy=none', 'same_subtree'],
    ['merged_capacity', 'resources1=DISK_GB:600&resources2=DISK_GB:600&group_policy=none', 'merged_capacity'],
  ])('finds where the request as a whole loses trees: %s', async (_, query, stage) => {
    const json = await explain(query);
    expect(json.trees.in_answer).toBe(0);
    const [first] = json.whole_request;
    expect([first.stage, first.in]).toEqual(['root', ROOTS]);
    const lost = json.whole_request.find((count: Json) => count.stage === stage);
    expect(lost.out).toBeLessThan(lost.in);
    expect(json.rejections.map((rejection: Json) => rejection.stage)).toContain(stage);
    expect(json.whole_request.at(-1).out).toBe(0);
  });

  it('counts a tree whose only candidate is returned under another root as in the answer', async () => {
    const json = await explain('resources=DISK_GB:1');
    expect(json.candidates.returned).toBe(1);
    expect(json.trees).toMatchObject({ in_answer: 4, not_reached: 0 });
  });

  describe('of one provider', () => {
    const closely = async (query: string, name: string): Promise<Json> =>
      (await explain(`${query}&explain_provider=${providerUuid(name)}`)).explained;

    it('in the answer', async () => {
      expect(await closely('resources=VCPU:4', 'fits')).toEqual({
        provider: providerUuid('fits'),
        name: 'fits',
        root: providerUuid('fits'),
        in_answer: true,
        tree: { status: 'in_answer', rejection: null },
        groups: [{ group: '', resource_class: 'VCPU', fits: true, stage: null, code: null, params: {}, message: null }],
        truncated: false,
      });
    });

    it('that serves other trees', async () => {
      const explained = await closely('resources=VCPU:4,DISK_GB:10', 'pool');
      expect(explained).toMatchObject({ in_answer: true, tree: { status: 'rejected' } });
      expect(explained.groups.map(({ resource_class: name, message }: Json) => [name, message])).toEqual([
        ['DISK_GB', null],
        ['VCPU', 'no inventory of VCPU'],
      ]);
    });

    it('in a rejected tree, by its own numbers', async () => {
      const explained = await closely('resources=VCPU:4', 'numa0');
      expect(explained).toMatchObject({ root: providerUuid('numa'), in_answer: false, tree: { status: 'rejected' } });
      expect(explained.groups).toMatchObject([
        {
          fits: false,
          stage: 'room',
          code: 'not_enough_left',
          params: { used: 3, asked: 4, capacity: 4, provider: providerUuid('numa0') },
          message: 'VCPU: 3 used + 4 asked > 4 capacity on numa0',
        },
      ]);
      const { tree } = await closely('resources=VCPU:4', 'full');
      expect(tree.rejection.message).toBe('VCPU: 14 used + 4 asked > 16 capacity');
    });

    it('after the limit', async () => {
      const json = await explain(`resources=VCPU:4&limit=1&explain_provider=${providerUuid('second')}`);
      expect(json.trees).toEqual({ total: ROOTS, in_answer: 1, rejected: 5, not_reached: 1 });
      expect(json.explained).toMatchObject({ in_answer: false, tree: { status: 'not_reached', rejection: null } });
    });

    it.each(['', 'rack-17', providerUuid('nobody')])('that does not exist is refused: %j', async (text) => {
      expect((await ask(`resources=VCPU:4&explain_provider=${text}`)).status).toBe(400);
    });
  });

  it('refuses the same requests as the search', async () => {
    for (const query of ['', 'resources=NOTHING:1', 'resources=VCPU:1&limit=0', 'resources=VCPU:1&explain=1']) {
      const [one, other] = await Promise.all([
        ask(query),
        service.request({ path: `/allocation_candidates?${query}` }),
      ]);
      expect([query, one.status, other.status]).toEqual([query, 400, 400]);
    }
    expect((await ask('resources=VCPU:1&in_tree=x', '1.30')).status).toBe(400);
    expect((await ask('resources=VCPU:1', '1.9')).status).toBe(404);
  });

  it('allows GET only', async () => {
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH'] as const) {
      const { status, headers } = await service.request({ method, path: '/allocation_candidates/explain' });
      expect([status, headers['allow']]).toEqual([405, 'GET']);
    }
  });

  it('cuts its lists and keeps its counts exact', async () => {
    const many = SEARCH_LIMITS.rejectionsShown + 5;
    const names = Array.from({ length: many }, (_, at) => `small${at} VCPU:1`);
    await loadWorld(service, names.join('\n'));
    const json = await explain('resources=VCPU:4');
    expect(json.rejections).toHaveLength(SEARCH_LIMITS.rejectionsShown);
    expect(json.truncated).toBe(true);
    expect(json.trees).toEqual({ total: ROOTS + many, in_answer: 2, rejected: ROOTS + many - 2, not_reached: 0 });
    const counts = Object.values(json.by_code as Record<string, number>);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(json.trees.rejected);
  });
});
