// The data layer on both databases: migrations, transactions, retries, the change log.
import { ConcurrentUpdate } from '../../src/domain/errors';
import { testDatabaseKinds } from '../support/databases';
import { openTestDatabase } from '../support/open-database';
import type { OpenDatabase } from '../support/open-database';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let open: OpenDatabase;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
  });
  afterAll(() => open.close());

  const addProject = (name: string) => (tx: { run: (sql: string, params: (string | number)[]) => Promise<number> }) =>
    tx.run('INSERT INTO projects (external_id, created_at) VALUES (?, ?)', [name, 1]);
  const projects = async (): Promise<string[]> =>
    open.database.read(async (sql) =>
      (await sql.query<{ external_id: string }>('SELECT external_id FROM projects ORDER BY id')).map(
        (row) => row.external_id,
      ),
    );

  it('knows the standard names after a start, with the ids of their positions', async () => {
    const [row] = await open.database.read((sql) =>
      sql.query<{ id: number; name: string }>('SELECT id, name FROM resource_classes ORDER BY id'),
    );
    expect(row).toMatchObject({ id: 0, name: 'VCPU' });
  });

  it('rolls a failed write back and keeps concurrent ones apart', async () => {
    const results = await Promise.allSettled([
      open.database.write(async (tx) => {
        await addProject('kept')(tx);
      }),
      open.database.write(async (tx) => {
        await addProject('lost')(tx);
        await new Promise((resume) => setTimeout(resume, 20));
        throw new Error('no');
      }),
      open.database.write(async (tx) => {
        await addProject('also kept')(tx);
      }),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await projects()).sort()).toEqual(['also kept', 'kept']);
  });

  it('makes what is left for the end as it is sent, and nothing behind what failed', async () => {
    const rows = 2_000;
    let made = 0;
    function* statements(): Iterable<{ readonly sql: string; readonly params: readonly (string | number)[] }> {
      for (made = 1; made <= 10; made += 1) {
        const names = Array.from({ length: rows }, (_, at) => `end ${made} ${at % 1_999}`);
        const sql = `INSERT INTO projects (external_id, created_at) VALUES ${names.map(() => '(?, ?)').join(', ')}`;
        yield { sql, params: names.flatMap((name) => [name, 1]) };
      }
    }
    await expect(
      open.database.write((tx) => {
        tx.concludeWith(statements());
        return Promise.resolve();
      }),
    ).rejects.toMatchObject({ message: expect.stringMatching(/unique|duplicate/i) as string });
    expect(made).toBeLessThanOrEqual(2);
    expect((await projects()).filter((name) => name.startsWith('end '))).toEqual([]);
  });

  it('tells names apart by code point, trailing blanks and emoji included', async () => {
    const names = ['a', 'A', 'a ', 'á', '🐎', '🦄'];
    for (const name of names) await open.database.write((tx) => addProject(name)(tx));
    expect(await projects()).toEqual(expect.arrayContaining(names));
  });

  it('gives up a write that collides for ever, with a conflict', async () => {
    let runs = 0;
    const collision = Object.assign(new Error('collision'), {
      code: kind === 'mysql' ? 'ER_LOCK_DEADLOCK' : 'SQLITE_BUSY',
    });
    await expect(
      open.database.write(async () => {
        runs += 1;
        throw collision;
      }),
    ).rejects.toBeInstanceOf(ConcurrentUpdate);
    expect(runs).toBe(10);
  });

  it('starts over in a new lane when its lane was deleted', async () => {
    const provider = await open.database.write((tx) =>
      tx.insert('INSERT INTO resource_providers (uuid, name, created_at) VALUES (?, ?, ?)', ['0'.repeat(36), 'p', 1]),
    );
    const touch = () => open.database.write(async (tx) => tx.changes.tree(provider));
    await touch();
    await open.database.write(async (tx) => {
      await tx.run('DELETE FROM change_log');
      await tx.run('DELETE FROM writer_lanes');
    });
    await touch();
    const rows = await open.database.read((sql) => sql.query<{ lane: number }>('SELECT lane FROM change_log'));
    expect(rows).toHaveLength(1);
  });
});
