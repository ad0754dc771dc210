// GET /allocation_candidates/explain: what every host fails, with numbers, on both databases.
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
/** The pool is not a host. */
const HOSTS = 6;

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
  /** The root's name and all that it fails. */
  const reported = ({ rejections }: Json): Record<string, string> =>
    Object.fromEntries(rejections.map(({ name, message }: Json) => [name, message]));

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

  it('says what every other host fails, with numbers', async () => {
    const json = await explain('resources=VCPU:4&required=CUSTOM_X');
    expect(json).toMatchObject({
      microversion: '1.39',
      query: 'resources=VCPU:4&required=CUSTOM_X',
      trees: { total: ROOTS, fit: 2 },
      candidates: { returned: 2, truncated: false },
      sentence: null,
      hosts: HOSTS - 2,
      cause: [],
      truncated: false,
    });
    expect(json.request_id).toMatch(/^req-/);
    expect(reported(json)).toEqual({
      full: 'lacks 2 VCPU (2 free, 4 asked)',
      coarse: 'can never hold 4 VCPU (max_unit 2); lacks trait CUSTOM_X',
      numa: 'lacks 2 VCPU on numa1 (2 free, 4 asked); lacks trait CUSTOM_X',
      bare: 'has no VCPU; lacks trait CUSTOM_X',
    });
    expect(json.counts.map(({ failed, never, text }: Json) => [failed, never, text])).toEqual([
      [4, 2, '4 lack VCPU'],
      [3, 0, '3 lack trait CUSTOM_X'],
    ]);
    expect(json.nearest).toMatchObject([
      { hosts: 1, names: ['full'], text: 'full lacks only 2 VCPU (2 free, 4 asked)', condition: { kind: 'resource' } },
    ]);
    expect(json).not.toHaveProperty('explained');
  });

  it.each<[string, string, object]>([
    [
      'an amount that no provider can give',
      'resources=VCPU:100',
      {
        sentence: '0 of 6 hosts fit: no host can hold 100 VCPU (largest 16).',
        cause: [{ kind: 'resource', names: ['VCPU'], amount: 100 }],
        counts: [{ failed: HOSTS, never: HOSTS }],
        fixes: [{ kind: 'amount', amount: 16, hosts: 2, text: 'with 16 VCPU instead of 100: 2 hosts' }],
      },
    ],
    ['nothing if there are candidates', 'resources=VCPU:4', { sentence: null, cause: [] }],
    [
      'more groups than there are devices, each on a provider of its own',
      'resources1=DISK_GB:1&resources2=DISK_GB:1&group_policy=isolate',
      {
        sentence: expect.stringMatching(
          /closest: .* lack only a provider for each request group \(group_policy isolate\)/,
        ),
        nearest: [{ hosts: 3, condition: { kind: 'together', names: ['group_policy'] } }],
      },
    ],
    ['a class that no host has', 'resources=PGPU:1', { cause: [{ kind: 'resource', names: ['PGPU'] }] }],
    [
      'a trait that no host has',
      'resources=VCPU:1&required=HW_CPU_X86_AVX2',
      { cause: [{ kind: 'trait', names: ['HW_CPU_X86_AVX2'] }] },
    ],
    [
      'an aggregate without hosts',
      `resources=VCPU:1&member_of=${aggregateUuid('nowhere')}`,
      { cause: [{ kind: 'aggregate', names: [aggregateUuid('nowhere')] }] },
    ],
    [
      'of a tree that the request names, that tree alone',
      `resources=VCPU:1&in_tree=${providerUuid('bare')}`,
      { hosts: 1, sentence: '0 of 1 host fits: bare has no VCPU.' },
    ],
    [
      'a trait of the root',
      'resources=VCPU:1&root_required=MISC_SHARES_VIA_AGGREGATE',
      { cause: [{ kind: 'trait', names: ['MISC_SHARES_VIA_AGGREGATE'], groups: [] }] },
    ],
    [
      'the sum of two groups',
      'resources1=DISK_GB:600&resources2=DISK_GB:600&group_policy=none',
      { cause: [{ kind: 'resource', names: ['DISK_GB'], amount: 1_200, groups: ['1', '2'] }] },
    ],
  ])('opens with the cause: %s', async (_, query, expected) => expect(await explain(query)).toMatchObject(expected));

  describe('of one provider', () => {
    const closely = async (query: string, name: string): Promise<Json> =>
      (await explain(`${query}&explain_provider=${providerUuid(name)}`)).explained;

    it('in the answer', async () => {
      expect(await closely('resources=VCPU:4', 'fits')).toEqual({
        provider: providerUuid('fits'),
        name: 'fits',
        root: providerUuid('fits'),
        in_answer: true,
        fails: [],
      });
    });

    it('that serves other trees', async () => {
      const explained = await closely('resources=VCPU:4,DISK_GB:10', 'pool');
      expect(explained).toMatchObject({ in_answer: true, fails: [{ text: 'has no VCPU' }] });
    });

    it('in a rejected tree, by its own numbers', async () => {
      expect(await closely('resources=VCPU:4', 'numa0')).toMatchObject({
        root: providerUuid('numa'),
        in_answer: false,
        fails: [{ condition: { kind: 'resource', names: ['VCPU'] }, text: 'lacks 3 VCPU on numa0 (1 free, 4 asked)' }],
      });
    });

    it('after the limit', async () => {
      const json = await explain(`resources=VCPU:4&limit=1&explain_provider=${providerUuid('second')}`);
      expect(json.trees).toEqual({ total: ROOTS, fit: 2 });
      expect(json.explained).toMatchObject({ in_answer: false, fails: [] });
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
    expect(json.trees).toEqual({ total: ROOTS + many, fit: 2 });
    expect(json.counts).toMatchObject([{ failed: HOSTS + many - 2, condition: { names: ['VCPU'] } }]);
  });
});
