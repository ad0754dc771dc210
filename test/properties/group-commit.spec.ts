// Group commit compared with single writes: the same random requests on two equal copies of a random small world, once
// as one group and once one by one, in the order in which the group settled them. All answers and all stored data must
// be equal. BERTH_GROUP_ROUNDS raises the number of worlds, BERTH_SEED repeats one.
import { AllocationGroups } from '../../src/placement/allocations/allocation-groups';
import { AllocationWriter } from '../../src/placement/allocations/allocation-writer';
import type { ConsumerWrite } from '../../src/placement/allocations/allocations.commands';
import type { AllocationRequest } from '../../src/placement/allocations/claim-law';
import type { ExpectedGeneration } from '../../src/placement/consumers/consumers.writes';
import type { Database } from '../../src/platform/database/database';
import { testDatabaseKinds } from '../support/databases';
import { Chances } from '../support/random-requests';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const ROUNDS = Number(process.env['BERTH_GROUP_ROUNDS'] ?? 25);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const COPIES = ['a', 'b'] as const;
type Copy = (typeof COPIES)[number];
const PROVIDERS = [1, 2, 3];
const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB'];
/** Consumers 1 to HOLDERS have allocations at the start. */
const HOLDERS = 4;
const CONSUMERS = 14;

interface Requested {
  readonly consumers: readonly {
    readonly number: number;
    readonly expectedGeneration: ExpectedGeneration;
    readonly type: string | undefined;
    readonly project: string;
    readonly sets: readonly (readonly [provider: number, amounts: ReadonlyMap<string, number>])[];
  }[];
}

describe.each(testDatabaseKinds())('a group on %s, seed ' + String(SEED), (kind) => {
  let service: TestService;
  let groups: AllocationGroups;
  let writer: AllocationWriter;
  let round = 0;
  const counts = { granted: 0, refused: 0, together: 0 };

  beforeAll(async () => {
    service = await startTestService(kind);
    groups = service.app.get(AllocationGroups);
    writer = service.app.get(AllocationWriter);
  });
  afterAll(() => service.stop());

  const uuidOf = (copy: Copy, sort: 'c' | 'd', number: number): string =>
    `${copy}${sort}000000-0000-4000-8000-${String(round).padStart(6, '0')}${String(number).padStart(6, '0')}`;

  const write = (
    { number, expectedGeneration, type, project, sets }: Requested['consumers'][number],
    copy: Copy,
  ): ConsumerWrite => ({
    consumerUuid: uuidOf(copy, 'c', number),
    allocations: new Map(sets.map(([provider, amounts]) => [uuidOf(copy, 'd', provider), amounts])),
    projectId: project,
    userId: 'user',
    consumerType: type,
    expectedGeneration,
  });

  const requestOf = async ({ consumers }: Requested, copy: Copy): Promise<AllocationRequest> => {
    const writes = consumers.map((each) => write(each, copy));
    return { writes, owners: await writer.ensureOwners(writes) };
  };

  /** Providers with little room; the last inventory write can leave a record above its capacity. */
  async function makeWorld(chances: Chances): Promise<void> {
    const inventories = PROVIDERS.map(() =>
      Object.fromEntries(
        CLASSES.filter(() => !chances.isLikely(0.2)).map((name) => [
          name,
          { total: 8 + chances.integer(0, 11), step_size: chances.isLikely(0.2) ? 2 : 1, max_unit: 9 },
        ]),
      ),
    );
    const held = Array.from(
      { length: HOLDERS },
      () => [chances.one(PROVIDERS), 2 * (1 + chances.integer(0, 2))] as const,
    );
    const isShrunk = PROVIDERS.map(() => chances.isLikely(0.3));
    const ok = async (method: 'POST' | 'PUT', path: string, body: object): Promise<number> =>
      (await service.request({ method, path, body })).status;
    for (const copy of COPIES) {
      for (const [at, number] of PROVIDERS.entries()) {
        const uuid = uuidOf(copy, 'd', number);
        await ok('POST', '/resource_providers', { name: uuid, uuid });
        const body = { resource_provider_generation: 0, inventories: inventories[at] };
        expect(await ok('PUT', `/resource_providers/${uuid}/inventories`, body)).toBe(200);
      }
      for (const [at, [provider, amount]] of held.entries()) {
        await ok('PUT', `/allocations/${uuidOf(copy, 'c', at + 1)}`, {
          allocations: { [uuidOf(copy, 'd', provider)]: { resources: { VCPU: amount } } },
          project_id: 'project',
          user_id: 'user',
          consumer_type: 'INSTANCE',
          consumer_generation: null,
        });
      }
      for (const [at, number] of PROVIDERS.entries()) {
        const path = `/resource_providers/${uuidOf(copy, 'd', number)}/inventories`;
        const { resource_provider_generation: generation } = (await service.request({ path })).json as {
          resource_provider_generation: number;
        };
        const records = Object.keys(inventories[at] ?? {}).map((name) => [name, { total: 4 }]);
        const body = { resource_provider_generation: generation, inventories: Object.fromEntries(records) };
        if (isShrunk[at] === true) expect(await ok('PUT', path, body)).toBe(200);
      }
    }
  }

  function randomRequests(chances: Chances, isAllNew: boolean): readonly Requested[] {
    const free = Array.from({ length: CONSUMERS }, (_, at) => at + 1).filter((number) => !isAllNew || number > HOLDERS);
    const count = 2 + chances.integer(0, 6);
    const take = (): number => free.splice(chances.integer(0, free.length - 1), 1)[0] ?? 0;
    return Array.from({ length: count }, () => ({
      consumers: Array.from({ length: free.length > 2 && chances.isLikely(0.25) ? 2 : 1 }, () => {
        const number = take();
        const expectedGeneration = isAllNew
          ? ({ kind: 'mustBeNew' } as const)
          : randomExpectedGeneration(chances, number <= HOLDERS);
        return {
          number,
          expectedGeneration,
          // Versions that name types compare generations.
          type: expectedGeneration.kind !== 'unchecked' && chances.isLikely(0.5) ? 'INSTANCE' : undefined,
          project: chances.one(['project', 'other']),
          sets: chances.isLikely(isAllNew ? 0 : 0.25) ? [] : randomSets(chances),
        };
      }),
    })).filter(({ consumers }) => consumers.every(({ number }) => number > 0));
  }

  /** The stored data of one copy, without row ids, times and record versions. */
  async function stored(database: Database, copy: Copy): Promise<unknown> {
    const like = `${copy}%-${String(round).padStart(6, '0')}______`;
    return database.readSnapshot(async (sql) => ({
      providers: await sql.query(
        'SELECT SUBSTR(uuid, 2) AS provider, generation FROM resource_providers WHERE uuid LIKE ? ORDER BY 1',
        [like],
      ),
      records: await sql.query(
        'SELECT SUBSTR(p.uuid, 2) AS provider, i.resource_class_id AS class, i.used FROM inventories i ' +
          'JOIN resource_providers p ON p.id = i.resource_provider_id WHERE p.uuid LIKE ? ORDER BY 1, 2',
        [like],
      ),
      consumers: await sql.query(
        'SELECT SUBSTR(uuid, 2) AS consumer, generation, project_id, user_id, consumer_type_id FROM consumers ' +
          'WHERE uuid LIKE ? ORDER BY 1',
        [like],
      ),
      allocations: await sql.query(
        'SELECT SUBSTR(c.uuid, 2) AS consumer, SUBSTR(p.uuid, 2) AS provider, a.resource_class_id AS class, a.used ' +
          'FROM allocations a JOIN consumers c ON c.id = a.consumer_id ' +
          'JOIN resource_providers p ON p.id = a.resource_provider_id WHERE c.uuid LIKE ? ORDER BY 1, 2, 3',
        [like],
      ),
    }));
  }

  const reported = (error: unknown): string =>
    error instanceof Error ? `${error.name}: ${error.message.replaceAll(/\b[ab]([cd]000000-)/g, '_$1')}` : 'granted';

  /** Writes the requests as one group; returns the answers by member, and the order in which they were settled. */
  async function asGroup(requests: readonly Requested[]): Promise<{ answers: readonly string[]; order: number[] }> {
    const answers: string[] = [];
    const order: number[] = [];
    const entries = await Promise.all(
      requests.map(async (request, at) => {
        const settle = (error?: unknown): void => {
          answers[at] = reported(error);
          order.push(at);
        };
        return {
          member: await requestOf(request, 'a'),
          since: performance.now(),
          succeed: () => settle(),
          fail: settle,
        };
      }),
    );
    await groups.writeGroup(entries);
    return { answers, order };
  }

  async function oneByOne(requests: readonly Requested[], order: readonly number[]): Promise<readonly string[]> {
    const answers: string[] = [];
    for (const at of order) {
      const request = requests[at];
      if (request === undefined) continue;
      answers[at] = await groups.write(await requestOf(request, 'b')).then(() => reported(undefined), reported);
    }
    return answers;
  }

  async function compare(seed: number, isAllNew: boolean): Promise<void> {
    round += 1;
    const chances = new Chances(seed);
    await makeWorld(chances);
    const requests = randomRequests(chances, isAllNew);
    const { answers, order } = await asGroup(requests);
    expect([...order].sort((a, b) => a - b)).toEqual(requests.map((_, at) => at));
    // If no request releases anything, the order of arrival decides, not the order of the commits.
    const alone = await oneByOne(requests, isAllNew ? requests.map((_, at) => at) : order);
    const isGranted = (answer: string): boolean => answer === 'granted';
    if (isAllNew) expect(answers.map(isGranted)).toEqual(alone.map(isGranted));
    else expect(answers).toEqual(alone);
    expect(await stored(service.database, 'a')).toEqual(await stored(service.database, 'b'));
    counts.granted += answers.filter(isGranted).length;
    counts.refused += answers.filter((answer) => !isGranted(answer)).length;
    counts.together += order.findIndex((at, place) => place > 0 && at < (order[place - 1] ?? 0)) > 0 ? 1 : 0;
  }

  it.each(Array.from({ length: ROUNDS }, (_, index) => [SEED + index]))(
    'gives the same answers and data as single writes (world %d)',
    async (seed) => {
      await compare(seed, false);
    },
  );

  it.each(Array.from({ length: ROUNDS }, (_, index) => [SEED + 1_000 + index]))(
    'grants new consumers in the order of arrival (world %d)',
    async (seed) => {
      await compare(seed, true);
    },
  );

  it('had granted and refused members', () => {
    expect(counts.granted).toBeGreaterThan(ROUNDS);
    expect(counts.refused).toBeGreaterThan(ROUNDS);
    expect(counts.together).toBeGreaterThan(0);
  });
});

function randomExpectedGeneration(chances: Chances, isHolder: boolean): ExpectedGeneration {
  const right: ExpectedGeneration = isHolder ? { kind: 'expect', generation: 1 } : { kind: 'mustBeNew' };
  if (chances.isLikely(0.6)) return right;
  return chances.one<ExpectedGeneration>([
    { kind: 'unchecked' },
    { kind: 'mustBeNew' },
    { kind: 'expect', generation: 1 },
    { kind: 'expect', generation: 7 },
  ]);
}

const UNKNOWN_PROVIDER = 99;

function randomSets(chances: Chances): readonly (readonly [number, ReadonlyMap<string, number>])[] {
  const named = PROVIDERS.filter(() => chances.isLikely(0.5));
  const providers = named.length === 0 ? [chances.one(PROVIDERS)] : named;
  if (chances.isLikely(0.05)) providers.push(UNKNOWN_PROVIDER);
  return providers.map((provider) => {
    const classes = CLASSES.filter(() => chances.isLikely(0.4));
    const amounts = (classes.length === 0 ? ['VCPU'] : classes).map((name): [string, number] => [
      name,
      chances.isLikely(0.05) ? 10 : 1 + chances.integer(0, 3),
    ]);
    return [provider, new Map(amounts)] as const;
  });
}
