// Usages on both databases: of a provider from its records, of a project by user and consumer type.
import type { TypeUsages, UsageQuestion } from '../../src/placement/usages/usages.repository';
import { projectUsages } from '../../src/placement/usages/usages.repository';
import { UsagesService } from '../../src/placement/usages/usages.service';
import { DATABASE_LIMITS } from '../../src/platform/config/limits/database';
import type { WriteTx } from '../../src/platform/database/sql';
import { CallerGone } from '../../src/platform/event-loop/caller';
import { NotFound } from '../../src/platform/values/errors';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

const HOST = '00000000-0000-4000-8000-000000000001';
const EMPTY = '00000000-0000-4000-8000-000000000002';
const [VCPU, MEMORY_MB, DISK_GB] = [0, 1, 2];

describe.each(testDatabaseKinds())('usages on %s', (kind) => {
  let open: OpenDatabase;
  let usages: UsagesService;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
    usages = new UsagesService(open.database);
    await open.database.write(world);
  });
  afterAll(() => open.close());

  const plain = (groups: readonly TypeUsages[]): object =>
    groups.map(({ type, consumerCount, used }) => ({ type, consumerCount, ...Object.fromEntries(used) }));
  const ask = async (question: UsageQuestion): Promise<object> => plain(await usages.ofProject(question));

  it('of a provider include every class it has, also unused ones', async () => {
    const { generation, used } = await usages.ofProvider(HOST);
    expect(generation).toBe(7);
    expect([...used]).toEqual([
      ['VCPU', 11],
      ['MEMORY_MB', 0],
      ['DISK_GB', 3_000_000_000],
    ]);
  });

  it('of a provider without inventory are empty, and of an unknown one an error', async () => {
    expect((await usages.ofProvider(EMPTY)).used.size).toBe(0);
    await expect(usages.ofProvider('00000000-0000-4000-8000-000000000009')).rejects.toBeInstanceOf(NotFound);
  });

  it('of a project are summed by consumer type, consumers counted once', async () => {
    expect(await ask({ project: 'red', types: { kind: 'each' } })).toEqual([
      { type: null, consumerCount: 1, DISK_GB: 1_500_000_000 },
      { type: 'INSTANCE', consumerCount: 2, VCPU: 6, DISK_GB: 1_500_000_000 },
      { type: 'VOLUME', consumerCount: 1, VCPU: 1 },
    ]);
  });

  it('of a project can be one sum, with numbers larger than 32 bits', async () => {
    expect(await ask({ project: 'red', types: { kind: 'together' } })).toEqual([
      { type: null, consumerCount: 4, VCPU: 7, DISK_GB: 3_000_000_000 },
    ]);
  });

  it('of a project are the same for any number of consumers per sum', async () => {
    const kinds: UsageQuestion['types'][] = [
      { kind: 'each' },
      { kind: 'together' },
      { kind: 'untyped' },
      { kind: 'one', name: 'INSTANCE' },
    ];
    for (const types of kinds) {
      for (const user of [undefined, 'ann', 'bob']) {
        const question = { project: 'red', types, ...(user !== undefined && { user }) };
        const whole = plain(await usages.ofProject(question));
        for (const limit of [1, 2, 3, 4]) {
          expect(plain(await usages.ofProject(question, undefined, limit))).toEqual(whole);
        }
      }
    }
  });

  it('of a project are read in parts of bounded size, in one statement if they fit', async () => {
    const statements = jest.spyOn(open.database, 'readSnapshot');
    await usages.ofProject({ project: 'red', types: { kind: 'each' } });
    expect(statements).not.toHaveBeenCalled();
    const part = await open.database.read((sql) =>
      projectUsages(sql, { project: 'red', types: { kind: 'together' } }, 3),
    );
    expect(part.consumers).toBe(3);
    await usages.ofProject({ project: 'red', types: { kind: 'each' } }, undefined, 3);
    expect(statements).toHaveBeenCalledTimes(1);
    statements.mockRestore();
  });

  it('of a project stop for a client that has disconnected', async () => {
    const gone = usages.ofProject({ project: 'red', types: { kind: 'each' } }, { isGone: true }, 1);
    await expect(gone).rejects.toBeInstanceOf(CallerGone);
  });

  it('of a project can be limited to one type, or to consumers without one', async () => {
    expect(await ask({ project: 'red', types: { kind: 'one', name: 'VOLUME' } })).toEqual([
      { type: 'VOLUME', consumerCount: 1, VCPU: 1 },
    ]);
    expect(await ask({ project: 'red', types: { kind: 'untyped' } })).toEqual([
      { type: null, consumerCount: 1, DISK_GB: 1_500_000_000 },
    ]);
  });

  it('of a project can be limited to one user', async () => {
    expect(await ask({ project: 'red', user: 'bob', types: { kind: 'each' } })).toEqual([
      { type: 'INSTANCE', consumerCount: 1, VCPU: 4 },
    ]);
    expect(await ask({ project: 'blue', user: 'bob', types: { kind: 'together' } })).toEqual([]);
  });

  const largest = async (project: string, resourceClass: string, limit: number): Promise<readonly string[]> =>
    (await usages.largestConsumers(project, resourceClass, limit)).map((uuid) => uuid.slice(-4));

  it('of every project are summed by class, with the number of instances', async () => {
    const found = [...(await usages.byProject())].sort();
    expect(found.map(([project, sums]) => [project, Object.fromEntries(sums)])).toEqual([
      ['blue', { VCPU: 4, instances: 1 }],
      ['red', { VCPU: 7, DISK_GB: 3_000_000_000, instances: 3 }],
    ]);
  });

  it("of a project's largest consumers are in the order of a class, the oldest first", async () => {
    expect(await largest('red', 'VCPU', 9)).toEqual(['0002', '0001', '0003']);
    expect(await largest('red', 'VCPU', 2)).toEqual(['0002', '0001']);
    expect(await largest('red', 'DISK_GB', 9)).toEqual(['0001', '0004']);
    expect(await largest('RED', 'VCPU', 9)).toEqual([]);
  });

  it('of unknown owners are empty, for every kind of sum', async () => {
    for (const kindOfSum of ['together', 'each', 'untyped'] as const) {
      expect(await ask({ project: 'RED', types: { kind: kindOfSum } })).toEqual([]);
    }
    expect(await ask({ project: 'red', types: { kind: 'one', name: 'NOBODY' } })).toEqual([]);
    expect(await ask({ project: 'red', user: 'nobody', types: { kind: 'together' } })).toEqual([]);
  });

  it('of very many consumers are read in several parts', async () => {
    const count = 2 * DATABASE_LIMITS.consumersPerRead + 1;
    await open.database.write(async (tx) => {
      const ids = 'SELECT id FROM projects WHERE external_id = ?';
      for (let at = 0; at < count; at += 1) {
        const id = await tx.insert(
          `INSERT INTO consumers (uuid, generation, project_id, user_id, created_at) SELECT ?, 1, (${ids}), id, 1 ` +
            "FROM users WHERE external_id = 'ann'",
          [`00000000-0000-4000-a000-${String(at).padStart(12, '0')}`, 'blue'],
        );
        await tx.run(
          'INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at) ' +
            'SELECT ?, id, ?, ?, 1 FROM resource_providers WHERE uuid = ?',
          [id, VCPU, 1 + (at % 700), HOST],
        );
      }
    });
    const sum = Array.from({ length: count }, (_, at) => 1 + (at % 700)).reduce((all, each) => all + each, 4);
    expect(Object.fromEntries((await usages.byProject()).get('blue') ?? [])).toEqual({
      VCPU: sum,
      instances: count + 1,
    });
    expect(await largest('blue', 'VCPU', 3)).toEqual(['0699', '1399', '0698']);
  });
});

/** One host; project red: two instances, a volume and an untyped consumer; project blue: one instance. */
async function world(tx: WriteTx): Promise<void> {
  const host = await tx.insert(
    'INSERT INTO resource_providers (uuid, name, generation, created_at) VALUES (?, ?, 7, 1)',
    [HOST, 'host'],
  );
  await tx.insert('INSERT INTO resource_providers (uuid, name, created_at) VALUES (?, ?, 1)', [EMPTY, 'empty']);
  for (const [resourceClass, used] of [
    [VCPU, 11],
    [MEMORY_MB, 0],
    [DISK_GB, 3_000_000_000],
  ] as const) {
    await tx.run(
      'INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, ' +
        'step_size, allocation_ratio, capacity, used, created_at) VALUES (?, ?, 9, 0, 1, 9, 1, 1, 9, ?, 1)',
      [host, resourceClass, used],
    );
  }
  const named = (table: 'projects' | 'users', name: string): Promise<number> =>
    tx.insert(`INSERT INTO ${table} (external_id, created_at) VALUES (?, 1)`, [name]);
  const type = (name: string): Promise<number> =>
    tx.insert('INSERT INTO consumer_types (name, created_at) VALUES (?, 1)', [name]);
  const [red, blue] = [await named('projects', 'red'), await named('projects', 'blue')];
  const [ann, bob] = [await named('users', 'ann'), await named('users', 'bob')];
  const [instance, volume] = [await type('INSTANCE'), await type('VOLUME')];

  let consumers = 0;
  const consumer = async (
    project: number,
    user: number,
    consumerType: number | null,
    held: readonly (readonly [resourceClass: number, used: number])[],
  ): Promise<void> => {
    consumers += 1;
    const id = await tx.insert(
      'INSERT INTO consumers (uuid, generation, project_id, user_id, consumer_type_id, created_at) ' +
        'VALUES (?, 1, ?, ?, ?, 1)',
      [`00000000-0000-4000-9000-${String(consumers).padStart(12, '0')}`, project, user, consumerType],
    );
    for (const [resourceClass, used] of held) {
      await tx.run(
        'INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at) ' +
          'VALUES (?, ?, ?, ?, 1)',
        [id, host, resourceClass, used],
      );
    }
  };
  await consumer(red, ann, instance, [
    [VCPU, 2],
    [DISK_GB, 1_500_000_000],
  ]);
  await consumer(red, bob, instance, [[VCPU, 4]]);
  await consumer(red, ann, volume, [[VCPU, 1]]);
  await consumer(red, ann, null, [[DISK_GB, 1_500_000_000]]);
  await consumer(blue, ann, instance, [[VCPU, 4]]);
}
