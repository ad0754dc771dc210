// The cost of requests in statements, counted at the driver, including transaction control. Round trips dominate the
// cost with a networked database, so frequent requests have a budget, and no write costs more statements per item.
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { StatementCounter } from '../support/statement-counter';
import { installStatementCounter } from '../support/statement-counter';

const uuidOf = (prefix: string, number: number): string =>
  `${prefix.padEnd(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;
const host = (number: number): string => uuidOf('a', number);
const consumer = (number: number): string => uuidOf('c', number);

const OWNER = { project_id: 'project', user_id: 'user', consumer_type: 'INSTANCE' };
const THREE_CLASSES = { VCPU: 1, MEMORY_MB: 2, DISK_GB: 3 };
const ROOMY = { total: 1_000_000 };
const BIG_HOSTS = 40;

describe.each(testDatabaseKinds())('on %s', (kind) => {
  // On MySQL one statement before the commit refuses a late transaction; it costs no round trip.
  const deadline = kind === 'mysql' ? 1 : 0;
  let service: TestService;
  let counter: StatementCounter;

  const ok = async (request: TestRequest): Promise<TestResponse> => {
    const response = await service.request(request);
    if (response.status >= 300) throw new Error(`${request.path}: ${response.status} ${response.text}`);
    return response;
  };
  const generationOf = async (uuid: string): Promise<number> =>
    (await ok({ path: `/resource_providers/${uuid}` })).json.generation as number;
  const putInventories = async (uuid: string, inventories: object): Promise<TestRequest> => ({
    method: 'PUT',
    path: `/resource_providers/${uuid}/inventories`,
    body: { resource_provider_generation: await generationOf(uuid), inventories },
  });
  const claim = (number: number, providers: readonly string[], generation: number | null = null): TestRequest => ({
    method: 'PUT',
    path: `/allocations/${consumer(number)}`,
    body: { ...OWNER, consumer_generation: generation, allocations: shares(providers) },
  });
  const shares = (providers: readonly string[]): object =>
    Object.fromEntries(providers.map((uuid) => [uuid, { resources: THREE_CLASSES }]));
  /** Statements of one successful request. */
  const cost = (request: TestRequest): Promise<readonly string[]> => counter.during(() => ok(request));

  beforeAll(async () => {
    service = await startTestService(kind);
    counter = installStatementCounter();
    for (let number = 1; number <= BIG_HOSTS; number += 1) {
      await ok({ method: 'POST', path: '/resource_providers', body: { uuid: host(number), name: `host ${number}` } });
      await ok(await putInventories(host(number), { VCPU: ROOMY, MEMORY_MB: ROOMY, DISK_GB: ROOMY }));
    }
    // Warm: every provider, project, user and type was used once on every connection.
    await ok(
      claim(
        900,
        Array.from({ length: BIG_HOSTS }, (_, index) => host(index + 1)),
      ),
    );
  });
  afterAll(async () => {
    counter.uninstall();
    await service.stop();
  });

  it('counts sent statements, and none for GET /', async () => {
    expect(await counter.during(() => service.request({ path: '/' }))).toEqual([]);
    expect((await counter.during(() => service.database.read((sql) => sql.query('SELECT 1')))).length).toBe(1);
    const snapshot = await counter.during(() => service.database.readSnapshot((sql) => sql.query('SELECT 1')));
    expect(snapshot.length).toBe(kind === 'mysql' ? 4 : 3);
  });

  it('counts the statements of the work, not those of background tasks', async () => {
    let begin = (): void => undefined;
    const others = new Promise<void>((resolve) => (begin = resolve)).then(() =>
      service.database.read((sql) => sql.query('SELECT 1')),
    );
    const statements = await counter.during(async () => {
      begin();
      await others;
      await service.database.read((sql) => sql.query('SELECT 2'));
    });
    expect(statements).toEqual(['SELECT 2']);
  });

  it('excludes the set-up of a connection for its first write', async () => {
    // Opens the maximum of connections; those that only read have no lane yet.
    const reads = Array.from({ length: 40 }, () => service.database.read((sql) => sql.query('SELECT 1')));
    const claims = Array.from({ length: 8 }, (_, at) => cost(claim(800 + at, [host(40)])));
    await Promise.all(reads);
    const sent = (await Promise.all(claims)).flat();
    expect(sent.filter((text) => /writer_lanes|SET SESSION/.test(text))).toEqual([]);
    expect(sent).toContain('COMMIT');
  });

  describe('a claim of a new consumer on one provider with three classes', () => {
    it('takes 7 statements, and on MySQL one for its deadline', async () => {
      const statements = await cost(claim(1, [host(1)]));
      expect(statements.map((text) => text.split(/[ (]/).slice(0, 3).join(' '))).toEqual([
        kind === 'mysql' ? 'START TRANSACTION' : 'BEGIN IMMEDIATE',
        'INSERT INTO consumers',
        'UPDATE resource_providers SET',
        kind === 'mysql' ? 'UPDATE inventories FORCE' : 'UPDATE inventories SET',
        'INSERT INTO allocations',
        'INSERT INTO change_log',
        ...(kind === 'mysql' ? ['SET @berth_late ='] : []),
        'COMMIT',
      ]);
    });

    it.each([
      ['an older version, generation unchecked', '1.27', 8],
      ['a list of allocations', '1.8', 8],
      ['the placeholder owner', '1.7', 8],
    ])('takes one more statement with %s', async (_what, version, expected) => {
      const body = {
        allocations:
          version === '1.27' ? shares([host(1)]) : [{ resource_provider: { uuid: host(1) }, resources: THREE_CLASSES }],
        ...(version !== '1.7' && { project_id: 'project', user_id: 'user' }),
      };
      const request = (number: number): TestRequest => ({
        method: 'PUT',
        path: `/allocations/${consumer(number)}`,
        version,
        body,
      });
      await ok(request(10));
      expect((await cost(request(11))).length).toBe(expected + deadline);
      await ok({ method: 'DELETE', path: `/allocations/${consumer(10)}` });
      await ok({ method: 'DELETE', path: `/allocations/${consumer(11)}` });
    });
  });

  it('rewrites a consumer with 9 statements, empties it with 9, deletes it with 8', async () => {
    await ok(claim(20, [host(1)]));
    expect((await cost(claim(20, [host(2)], 1))).length).toBe(9 + deadline);
    expect((await cost(claim(20, [], 2))).length).toBe(9 + deadline);
    await ok(claim(20, [host(1)]));
    expect((await cost({ method: 'DELETE', path: `/allocations/${consumer(20)}` })).length).toBe(8 + deadline);
  });

  it('replaces inventories (one added, one changed, one removed) with 9 statements, and with 9 for many', async () => {
    const lone = uuidOf('b', 1);
    await ok({ method: 'POST', path: '/resource_providers', body: { uuid: lone, name: 'lone' } });
    await ok(await putInventories(lone, { VCPU: { total: 1 }, MEMORY_MB: { total: 1 } }));
    const change = await putInventories(lone, { VCPU: { total: 2 }, DISK_GB: { total: 1 } });
    expect((await cost(change)).length).toBe(9 + deadline);
    const many = ['VCPU', 'MEMORY_MB', 'PCI_DEVICE', 'SRIOV_NET_VF', 'NUMA_SOCKET', 'NUMA_CORE', 'VGPU', 'PCPU'];
    const other = await putInventories(lone, Object.fromEntries(many.map((name) => [name, { total: 5 }])));
    expect((await cost(other)).length).toBe(9 + deadline);
  });

  it('gets a provider with exactly 1 statement', async () => {
    expect(await cost({ path: `/resource_providers/${host(1)}` })).toHaveLength(1);
    expect(await cost({ path: `/resource_providers/${host(1)}`, version: null })).toHaveLength(1);
  });

  describe('frequent requests of compute services', () => {
    const provider = host(3);
    const tree = `/resource_providers?in_tree=${provider}`;
    const write = {
      allocations: async (round: number) => ok(claim(30 + round, [provider])),
      inventories: async (round: number) =>
        ok(await putInventories(provider, { VCPU: { total: 1_000_000 + round }, MEMORY_MB: ROOMY, DISK_GB: ROOMY })),
      traits: async (round: number) => {
        const traits = [['HW_CPU_X86_AVX'], ['HW_CPU_X86_AVX2', 'HW_CPU_X86_SSE']][round % 2];
        const generation = await generationOf(provider);
        const body = { traits, resource_provider_generation: generation };
        return ok({ method: 'PUT', path: `/resource_providers/${provider}/traits`, body });
      },
      aggregates: async (round: number) => {
        const body = {
          aggregates: [uuidOf('d', round), uuidOf('e', round)],
          resource_provider_generation: await generationOf(provider),
        };
        return ok({ method: 'PUT', path: `/resource_providers/${provider}/aggregates`, body });
      },
      name: async (round: number) =>
        ok({ method: 'PUT', path: `/resource_providers/${provider}`, body: { name: `renamed ${round}` } }),
    };

    it.each([
      ['allocations', `/resource_providers/${provider}/allocations`, write.allocations],
      ['a consumer', `/resource_providers/${provider}/allocations`, write.allocations],
      ['inventories', `/resource_providers/${provider}/inventories`, write.inventories],
      ['one inventory', `/resource_providers/${provider}/inventories/VCPU`, write.inventories],
      ['usages', `/resource_providers/${provider}/usages`, write.allocations],
      ['traits', `/resource_providers/${provider}/traits`, write.traits],
      ['aggregates', `/resource_providers/${provider}/aggregates`, write.aggregates],
      ['its tree', tree, write.name],
    ])('%s takes exactly 1 statement, and reflects a write between two reads', async (what, path, change) => {
      const texts: string[] = [];
      const round = what.length;
      for (const step of [0, 1, 2]) {
        await change(10 * round + step);
        const statements = await counter.during(async () => texts.push((await ok({ path })).text));
        expect(statements).toHaveLength(1);
      }
      expect(new Set(texts).size).toBe(3);
    });

    it('a consumer takes exactly 1 statement', async () => {
      await ok(claim(700, [provider]));
      expect(await cost({ path: `/allocations/${consumer(700)}` })).toHaveLength(1);
    });
  });

  describe('set-based', () => {
    const hosts = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => host(index + 1));
    const post = (
      numbers: readonly number[],
      providers: readonly string[],
      generation: number | null,
    ): TestRequest => ({
      method: 'POST',
      path: '/allocations',
      body: Object.fromEntries(
        numbers.map((number) => [
          consumer(number),
          { ...OWNER, consumer_generation: generation, allocations: shares(providers) },
        ]),
      ),
    });
    const numbers = (first: number, count: number): readonly number[] =>
      Array.from({ length: count }, (_, index) => first + index);

    it('a claim on 30 providers costs as much as one on 2', async () => {
      const small = await cost(claim(101, hosts(2)));
      const large = await cost(claim(102, hosts(30)));
      expect([small.length, large.length]).toEqual([7 + deadline, 7 + deadline]);
      const releases = [await cost(claim(101, [], 1)), await cost(claim(102, [], 1))];
      expect(releases.map((statements) => statements.length)).toEqual([9 + deadline, 9 + deadline]);
    });

    it('50 consumers in one POST cost as much as 2: first writes 8, rewrites and releases 9', async () => {
      const costs = async (first: number, count: number): Promise<readonly number[]> => {
        const group = numbers(first, count);
        return [
          (await cost(post(group, hosts(3), null))).length,
          (await cost(post(group, hosts(2), 1))).length,
          (await cost(post(group, [], 2))).length,
        ];
      };
      const small = await costs(200, 2);
      const large = await costs(300, 50);
      expect(small).toEqual([8 + deadline, 9 + deadline, 9 + deadline]);
      expect(large).toEqual(small);
    });

    it('a refusal on 30 providers costs as much as one on 2', async () => {
      const refused = async (count: number): Promise<number> => {
        const allocations = Object.fromEntries(
          hosts(count).map((uuid, index) => [uuid, { resources: { VCPU: index === count - 1 ? 2_000_000 : 1 } }]),
        );
        const body = { ...OWNER, consumer_generation: null, allocations };
        const request: TestRequest = { method: 'PUT', path: `/allocations/${consumer(400)}`, body };
        let status = 0;
        const statements = await counter.during(async () => ({ status } = await service.request(request)));
        expect(status).toBe(409);
        return statements.length;
      };
      const small = await refused(2);
      // On MySQL the whole claim is sent at once: the server skips four statements after the first failure, and one
      // more checks whether the providers still exist.
      expect(small).toBe(kind === 'mysql' ? 12 : 7);
      expect(await refused(30)).toBe(small);
    });

    it('a reshape of 25 providers and 5 consumers costs as much as one of 2 and 2', async () => {
      const reshape = async (first: number, providers: number, consumers: number): Promise<number> => {
        const group = numbers(first, consumers);
        await ok(post(group, hosts(providers), null));
        const generations = new Map<string, number>();
        for (const uuid of hosts(providers)) generations.set(uuid, await generationOf(uuid));
        const inventories = Object.fromEntries(
          hosts(providers).map((uuid) => [
            uuid,
            {
              resource_provider_generation: generations.get(uuid),
              inventories: {
                VCPU: ROOMY,
                MEMORY_MB: ROOMY,
                DISK_GB: ROOMY,
                [first % 2 === 0 ? 'VGPU' : 'PCPU']: { total: 1 },
              },
            },
          ]),
        );
        const body = { inventories, allocations: post(group, hosts(providers).slice(1), 1).body };
        const statements = await cost({ method: 'POST', path: '/reshaper', body });
        await ok(post(group, [], 2));
        return statements.length;
      };
      expect(await reshape(500, 2, 2)).toBe(12 + deadline);
      // From here on, one record is removed from a provider for each added one: one more statement for all of them.
      const small = await reshape(503, 2, 2);
      expect(small).toBe(13 + deadline);
      expect([await reshape(600, 25, 5), await reshape(605, 25, 5)]).toEqual([small, small]);
    });

    it('a placement of one instance is one transaction, which stores its alternates', async () => {
      const body = {
        project_id: OWNER.project_id,
        user_id: OWNER.user_id,
        instances: [consumer(990)],
        flavor: { vcpus: 1, memory_mb: 1 },
        return_alternates: true,
      };
      const statements = await cost({ method: 'POST', path: '/scheduler/select_destinations', body });
      expect(statements.filter((text) => /^(BEGIN IMMEDIATE|START TRANSACTION$)/.test(text)).length).toBe(1);
      const stored = await service.request({ path: `/scheduler/instances/${consumer(990)}` });
      expect((stored.json.alternates as readonly object[]).length).toBe(2);
    });
  });
});
