// The cost of group commits, and concurrent groups of several processes on the same rows.
import { AllocationGroups } from '../../src/placement/allocations/allocation-groups';
import { AllocationWriter } from '../../src/placement/allocations/allocation-writer';
import type { AllocationRequest } from '../../src/placement/allocations/claim-law';
import type { ExpectedGeneration } from '../../src/placement/consumers/consumers.writes';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { StatementCounter } from '../support/statement-counter';
import { installStatementCounter } from '../support/statement-counter';

const uuidOf = (prefix: string, number: number): string =>
  `${prefix.padEnd(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;
const host = (number: number): string => uuidOf('a', number);
const consumer = (number: number): string => uuidOf('c', number);
const HOSTS = 20;
const NEW: ExpectedGeneration = { kind: 'mustBeNew' };

const numbers = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index);

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let groups: AllocationGroups;
  let writer: AllocationWriter;
  let counter: StatementCounter;

  const requestOf = async (
    number: number,
    expectedGeneration: ExpectedGeneration,
    shares: readonly (readonly [host: number, vcpus: number])[],
  ): Promise<AllocationRequest> => {
    const allocations = new Map(shares.map(([at, vcpus]) => [host(at), new Map([['VCPU', vcpus]])]));
    const write = {
      consumerUuid: consumer(number),
      allocations,
      projectId: 'p',
      userId: 'u',
      consumerType: 'T',
      expectedGeneration,
    };
    return { writes: [write], owners: await writer.ensureOwners([write]) };
  };

  /** Writes one group; returns the result of each request. */
  const group = async (requests: readonly AllocationRequest[]): Promise<readonly string[]> => {
    const reported: string[] = [];
    const entries = requests.map((member, at) => ({
      member,
      since: performance.now(),
      succeed: () => void (reported[at] = 'granted'),
      fail: (error: unknown) => void (reported[at] = (error as Error).name),
    }));
    await groups.writeGroup(entries);
    return reported;
  };

  const rows = (sql: string): Promise<readonly Record<string, number>[]> =>
    service.database.read((reader) => reader.query(sql));

  /** Records whose `used` differs from the sum of their allocations, or exceeds their capacity. */
  const wrongRecords = (): Promise<readonly object[]> =>
    rows(
      'SELECT i.id, i.used, i.capacity, COALESCE(SUM(a.used), 0) AS held FROM inventories i LEFT JOIN allocations a ' +
        'ON a.resource_provider_id = i.resource_provider_id AND a.resource_class_id = i.resource_class_id ' +
        'GROUP BY i.id, i.used, i.capacity HAVING i.used <> COALESCE(SUM(a.used), 0) OR i.used > i.capacity',
    );

  const makeHost = async (number: number, total: number): Promise<void> => {
    const path = `/resource_providers/${host(number)}/inventories`;
    await service.request({
      method: 'POST',
      path: '/resource_providers',
      body: { uuid: host(number), name: `${number}` },
    });
    const body = { resource_provider_generation: 0, inventories: { VCPU: { total } } };
    expect((await service.request({ method: 'PUT', path, body })).status).toBe(200);
  };

  beforeAll(async () => {
    service = await startTestService(kind);
    groups = service.app.get(AllocationGroups);
    writer = service.app.get(AllocationWriter);
    counter = installStatementCounter();
    for (const number of numbers(1, HOSTS)) await makeHost(number, 1_000_000);
    const everywhere = numbers(1, HOSTS).map((at) => [at, 1] as const);
    await groups.write(await requestOf(900, NEW, everywhere));
  });
  afterAll(async () => {
    counter.uninstall();
    await service.stop();
  });

  const costOf = async (requests: readonly AllocationRequest[]): Promise<readonly string[]> => {
    let reported: readonly string[] = [];
    const statements = await counter.during(async () => (reported = await group(requests)));
    expect(new Set(reported)).toEqual(new Set(['granted']));
    return statements.map((text) => text.split(/[ (]/).slice(0, 3).join(' '));
  };

  it.each([2, 60])('%d claims of new consumers together take 8 statements, releases and rewrites 9', async (count) => {
    // On MySQL one statement before the commit refuses a late transaction.
    const deadline = kind === 'mysql' ? 1 : 0;
    const all = numbers(1000 * count, count);
    const on = (number: number): number => 1 + (number % HOSTS);
    const claims = await Promise.all(all.map((number) => requestOf(number, NEW, [[on(number), 1 + (number % 3)]])));
    expect(await costOf(claims)).toEqual([
      kind === 'mysql' ? 'START TRANSACTION' : 'BEGIN IMMEDIATE',
      'INSERT INTO consumers',
      'SELECT id, uuid',
      'UPDATE resource_providers SET',
      kind === 'mysql' ? 'UPDATE inventories FORCE' : 'UPDATE inventories SET',
      'INSERT INTO allocations',
      'INSERT INTO change_log',
      ...(kind === 'mysql' ? ['SET @berth_late ='] : []),
      'COMMIT',
    ]);
    const expect1: ExpectedGeneration = { kind: 'expect', generation: 1 };
    const moves = await Promise.all(all.map((number) => requestOf(number, expect1, [[1 + (number % 2), 5]])));
    expect((await costOf(moves)).length).toBe(9 + deadline);
    const releases = await Promise.all(all.map((number) => requestOf(number, { kind: 'expect', generation: 2 }, [])));
    expect((await costOf(releases)).length).toBe(9 + deadline);
    expect(await wrongRecords()).toEqual([]);
  });

  it('increments a provider once for each claim, and a consumer once', async () => {
    const generation = async (): Promise<number> =>
      (await rows(`SELECT generation FROM resource_providers WHERE uuid = '${host(3)}'`))[0]?.['generation'] ?? -1;
    const before = await generation();
    const claims = numbers(500, 7).map((number) => requestOf(number, NEW, [[3, 1]]));
    expect(new Set(await group(await Promise.all(claims)))).toEqual(new Set(['granted']));
    expect((await generation()) - before).toBe(7);
    const consumers = await rows(`SELECT generation FROM consumers WHERE uuid LIKE '${consumer(500).slice(0, -1)}%'`);
    expect(consumers.map((row) => row['generation'])).toEqual(Array.from({ length: 7 }, () => 1));
  });

  it('refuses claims of one group on a provider that was just deleted, each with its name', async () => {
    await makeHost(150, 10);
    const claims = numbers(700, 12).map((number) => requestOf(number, NEW, [[150, 1]]));
    const requests = await Promise.all(claims);
    expect(new Set(await group(requests.slice(0, 2)))).toEqual(new Set(['granted']));
    for (const number of numbers(700, 2)) {
      await group([await requestOf(number, { kind: 'expect', generation: 1 }, [])]);
    }
    const removed = await service.request({ method: 'DELETE', path: `/resource_providers/${host(150)}` });
    expect(removed.status).toBe(204);
    expect(await group(requests)).toEqual(requests.map(() => 'UnknownReference'));
  });

  it('grants in the order of arrival, and refuses the rest, each with its reason', async () => {
    await makeHost(101, 10);
    const requests = await Promise.all([
      requestOf(600, NEW, [[101, 4]]),
      requestOf(601, NEW, [[101, 7]]),
      requestOf(500, NEW, [[101, 1]]),
      requestOf(602, NEW, [[101, 6]]),
      requestOf(603, NEW, [[999, 1]]),
      requestOf(604, NEW, [[101, 1]]),
      requestOf(605, NEW, [[1, 1]]),
    ]);
    expect(await group(requests)).toEqual([
      'granted',
      'AllocationRefused',
      'ConsumerGenerationConflict',
      'granted',
      'UnknownReference',
      'AllocationRefused',
      'granted',
    ]);
    expect(await wrongRecords()).toEqual([]);
  });

  it('resolves a cached provider again after it was deleted and created', async () => {
    await makeHost(102, 10);
    expect(await group([await requestOf(610, NEW, [[102, 1]]), await requestOf(611, NEW, [[1, 1]])])).toEqual([
      'granted',
      'granted',
    ]);
    await service.request({ method: 'DELETE', path: `/allocations/${consumer(610)}` });
    expect((await service.request({ method: 'DELETE', path: `/resource_providers/${host(102)}` })).status).toBe(204);
    await makeHost(102, 10);
    expect(await group([await requestOf(610, NEW, [[102, 1]]), await requestOf(612, NEW, [[1, 1]])])).toEqual([
      'granted',
      'granted',
    ]);
  });

  it('reports a deleted provider before a lack of room, in a group and alone', async () => {
    for (const way of ['alone', 'in company']) {
      await makeHost(103, 10);
      await makeHost(104, 1);
      const claim = (number: number): Promise<AllocationRequest> =>
        requestOf(number, NEW, [
          [103, 1],
          [104, 2],
        ]);
      const reported = async (number: number): Promise<readonly string[]> => {
        if (way === 'in company') return group([await claim(number), await requestOf(number + 1, NEW, [[104, 2]])]);
        return groups.write(await claim(number)).then(
          () => ['granted'],
          (error: unknown) => [(error as Error).name],
        );
      };
      expect((await reported(630))[0]).toBe('AllocationRefused');
      expect((await service.request({ method: 'DELETE', path: `/resource_providers/${host(103)}` })).status).toBe(204);
      expect((await reported(632))[0]).toBe('UnknownReference');
      await service.request({ method: 'DELETE', path: `/resource_providers/${host(104)}` });
    }
  });

  it('writes one log sequence number for a whole group', async () => {
    const newest = 'SELECT lane, MAX(seq) AS seq FROM change_log GROUP BY lane ORDER BY lane';
    const sum = async (): Promise<number> => (await rows(newest)).reduce((total, row) => total + (row['seq'] ?? 0), 0);
    const before = await sum();
    await group(await Promise.all(numbers(620, 9).map((number) => requestOf(number, NEW, [[4, 1]]))));
    expect((await sum()) - before).toBe(1);
  });

  it('several queues, like those of several processes, share the last units of the same providers exactly', async () => {
    const [first, capacity] = [201, 30];
    const contested = numbers(first, 4);
    for (const number of contested) await makeHost(number, capacity);
    const queues = [
      groups,
      new AllocationGroups(service.database, writer),
      new AllocationGroups(service.database, writer),
    ];
    const claims = await Promise.all(
      numbers(3000, 240).map((number) => {
        const [one, other] = [contested[number % 4] ?? first, contested[(number + 1 + (number % 2)) % 4] ?? first];
        return requestOf(number, NEW, [
          [one, 1],
          [other, 1],
        ]);
      }),
    );
    const reported = await Promise.allSettled(
      claims.map((claim, at) => (queues[at % queues.length] ?? groups).write(claim)),
    );
    const refused = reported.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Error).name] : []));
    expect(new Set(refused)).toEqual(new Set(['AllocationRefused']));
    expect(await wrongRecords()).toEqual([]);
    const held = await rows(
      `SELECT COUNT(*) AS count FROM consumers WHERE uuid LIKE '${consumer(3000).slice(0, -3)}%'`,
    );
    expect(held[0]?.['count']).toBe(reported.length - refused.length);
    // For a refused request, one of its two providers was full.
    const full = await rows(
      'SELECT p.uuid FROM inventories i JOIN resource_providers p ON p.id = i.resource_provider_id WHERE i.used = i.capacity',
    );
    const isFull = new Set(full.map((row) => String(row['uuid'])));
    const isWrong = ({ writes }: AllocationRequest, at: number): boolean =>
      reported[at]?.status === 'rejected' &&
      ![...(writes[0]?.allocations.keys() ?? [])].some((uuid) => isFull.has(uuid));
    expect(claims.filter(isWrong)).toEqual([]);
  });
});
