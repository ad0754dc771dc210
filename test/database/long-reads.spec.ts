// Reads of many rows on both databases: in parts, with other work in between, and still one consistent state.
import type { Statement } from 'better-sqlite3';
import { DATABASE_LIMITS } from '../../src/platform/config/limits/database';
import { Sqlite } from '../../src/platform/database/sqlite-driver';
import { tasks } from '../../src/platform/event-loop/task-scheduler';
import { Unavailable } from '../../src/platform/values/errors';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

const PROJECTS = 1_000;
const NAMES = 'SELECT external_id AS name FROM projects';

interface Row {
  readonly name: string;
}

describe.each(testDatabaseKinds())('long reads on %s', (kind) => {
  let open: OpenDatabase;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
    await add(PROJECTS);
  });
  afterAll(() => open.close());
  afterEach(() => jest.restoreAllMocks());

  let added = 0;
  const add = (count: number): Promise<void> =>
    open.database.write(async (tx) => {
      for (let at = 0; at < count; at += 1) {
        await tx.run('INSERT INTO projects (external_id, created_at) VALUES (?, 0)', [`project ${added + at}`]);
      }
      added += count;
    });
  const names = async (): Promise<number> => {
    let found = 0;
    await open.database.readSnapshot((sql) => sql.each<Row>(NAMES, [], () => (found += 1)));
    return found;
  };

  it.each(['readSnapshot', 'readMuch', 'read', 'write'] as const)(
    'return their rows in bounded parts: %s',
    async (way) => {
      let [taken, most] = [0, 0];
      const paced = tasks.paced.bind(tasks);
      jest.spyOn(tasks, 'paced').mockImplementation((work) =>
        paced(() => {
          const before = taken;
          const result = work();
          most = Math.max(most, taken - before);
          return result;
        }),
      );
      await open.database[way]((sql) => sql.each<Row>(NAMES, [], () => (taken += 1)));
      expect(taken).toBe(added);
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(DATABASE_LIMITS.rowsPerPart);
    },
  );

  const partly = kind === 'sqlite' ? it : it.skip;
  partly.each(['readSnapshot', 'readMuch', 'write'] as const)(
    'never have all rows of SQLite at once: %s',
    async (way) => {
      const memory = new Sqlite(':memory:');
      const all = jest.spyOn(Object.getPrototypeOf(memory.prepare('SELECT 1')) as Statement, 'all');
      memory.close();
      let taken = 0;
      await open.database[way]((sql) => sql.each<Row>(NAMES, [], () => (taken += 1)));
      expect(taken).toBe(added);
      for (const { value } of all.mock.results) expect((value as unknown[]).length).toBeLessThan(added);
    },
  );

  const held = kind === 'mysql' ? it : it.skip;
  held('that the server of MySQL refuses fail, and the connection serves on', async () => {
    await open.database.read(async (sql) => {
      const [{ id } = { id: 0 }] = await sql.query<{ id: number }>('SELECT CONNECTION_ID() AS id');
      await expect(sql.each<Row>('SELECT nothing FROM projects', [], () => undefined)).rejects.toThrow();
      await expect(sql.each<Row>('SELECT ? AS name FROM nothing', ['x'], () => undefined)).rejects.toThrow();
      expect(await sql.query<{ id: number }>('SELECT CONNECTION_ID() AS id')).toEqual([{ id }]);
    });
  });

  it('return the same rows as a query', async () => {
    const rows: Row[] = [];
    const all = await open.database.readSnapshot(async (sql) => {
      await sql.each<Row>(NAMES, [], ({ name }) => rows.push({ name }));
      return sql.query<Row>(NAMES);
    });
    expect(rows).toEqual(all.map(({ name }) => ({ name })));
  });

  it('that are aborted within a write roll it back, and the next write succeeds', async () => {
    const refused = open.database.write(async (tx) => {
      await tx.run("INSERT INTO projects (external_id, created_at) VALUES ('given up', 0)");
      await tx.each<Row>(NAMES, [], ({ name }) => {
        if (name === 'project 10') throw new Error('enough');
      });
    });
    await expect(refused).rejects.toThrow('enough');
    expect(await names()).toBe(added);
    await add(1);
    expect(await names()).toBe(added);
  });

  it('see one state whatever is committed meanwhile, while other readers see the new one', async () => {
    const before = added;
    const isLong = jest.spyOn(tasks, 'paced').mockImplementation(async (work) => {
      await tasks.yieldToEventLoop();
      return work();
    });
    let adding: Promise<void> | undefined;
    let [first, second] = [0, 0];
    await open.database.readSnapshot(async (sql) => {
      await sql.each<Row>(NAMES, [], () => {
        first += 1;
        adding ??= add(5);
      });
      await adding;
      expect(await names()).toBe(before + 5);
      await sql.each<Row>(NAMES, [], () => (second += 1));
    });
    expect(isLong).toHaveBeenCalled();
    expect([first, second]).toEqual([before, before]);
    expect(await names()).toBe(before + 5);
  });

  it('of several readers run in parallel', async () => {
    const nested = (depth: number): Promise<number> =>
      open.database.readSnapshot(async (sql) => {
        await sql.query(NAMES);
        return depth === 1 ? names() : nested(depth - 1);
      });
    expect(await nested(DATABASE_LIMITS.longReads - 1)).toBe(added);
  });

  it('leave no open state after a failure in the middle', async () => {
    const failing = open.database.readSnapshot((sql) =>
      sql.each<Row>(NAMES, [], () => {
        throw new Error('enough');
      }),
    );
    await expect(failing).rejects.toThrow('enough');
    await add(1);
    expect(await names()).toBe(added);
  });

  it('are aborted together with parallel statements', async () => {
    const failing = open.database.readSnapshot((sql) =>
      Promise.all([sql.query<Row>(NAMES), sql.query<Row>(NAMES), Promise.reject(new Error('beside'))]),
    );
    await expect(failing).rejects.toThrow('beside');
    await add(1);
    for (let round = 0; round < DATABASE_LIMITS.longReads; round += 1) expect(await names()).toBe(added);
  });

  if (kind === 'sqlite') {
    it('end at their time limit, and the next read sees the current state', async () => {
      const late = open.database.readSnapshot((sql) => sql.each<Row>(NAMES, [], () => undefined), {
        statementMs: 0,
      });
      await expect(late).rejects.toBeInstanceOf(Unavailable);
      const all = open.database.readSnapshot((sql) => sql.query<Row>(NAMES), { statementMs: 1_000, snapshotMs: 0 });
      await expect(all).rejects.toBeInstanceOf(Unavailable);
      await add(1);
      expect(await names()).toBe(added);
    });
  }
});
