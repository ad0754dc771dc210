// The data layer on both databases: migrations, transactions, retries, the change log.
import { PROCESS_LIMITS } from '../../src/platform/config/limits/processes';
import { tasks } from '../../src/platform/event-loop/task-scheduler';
import { ConcurrentUpdate } from '../../src/platform/values/errors';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

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

  it('has the standard names after a start, with their positions as ids', async () => {
    const [row] = await open.database.read((sql) =>
      sql.query<{ id: number; name: string }>('SELECT id, name FROM resource_classes ORDER BY id'),
    );
    expect(row).toMatchObject({ id: 0, name: 'VCPU' });
  });

  it('rolls a failed write back and isolates concurrent ones', async () => {
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

  it('rolls back statements issued together with a failed one, however long it was delayed', async () => {
    await open.database.write((tx) => addProject('taken')(tx));
    await tasks.yieldToEventLoop();
    await expect(
      open.database.write(async (tx) => {
        await tx.query('SELECT 1');
        // Uses up the time of this phase of the event loop.
        await tasks.paced(() => {
          for (const until = performance.now() + 2 * PROCESS_LIMITS.sliceMs; performance.now() < until;);
        });
        await Promise.all([addProject('taken')(tx), addProject('behind')(tx), addProject('far behind')(tx)]);
      }),
    ).rejects.toMatchObject({ message: expect.stringMatching(/unique|duplicate/i) as string });
    await pause(20);
    await open.database.write((tx) => addProject('the next one')(tx));
    expect((await projects()).filter((name) => name.includes('behind'))).toEqual([]);
  });

  it.each(['fails', 'is committed'])('refuses statements after the end of a transaction that %s', async (how) => {
    let late: Promise<unknown> = Promise.resolve();
    const ended = open.database.write(async (tx) => {
      await addProject(`before the end, ${how}`)(tx);
      late = pause(20).then(() => addProject('late')(tx));
      late.catch(() => undefined);
      if (how === 'fails') throw new Error('no');
    });
    expect(await Promise.allSettled([ended])).toMatchObject([{ status: how === 'fails' ? 'rejected' : 'fulfilled' }]);
    await expect(late).rejects.toMatchObject({ message: 'What this statement belongs to is over.' });
    await open.database.write((tx) => addProject(`behind the end, ${how}`)(tx));
    expect(await projects()).not.toContain('late');
  });

  it.each(['read', 'readMuch', 'readSnapshot'] as const)(
    'refuses statements that are issued after the end of a %s',
    async (how) => {
      let late: Promise<unknown> = Promise.resolve();
      const ended = open.database[how](async (sql) => {
        late = pause(20).then(() => sql.query('SELECT 1'));
        late.catch(() => undefined);
        throw new Error('no');
      });
      await expect(ended).rejects.toMatchObject({ message: 'no' });
      await expect(late).rejects.toMatchObject({ message: 'What this statement belongs to is over.' });
    },
  );

  it('generates deferred statements as they are sent, and none after a failure', async () => {
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

  it('distinguishes names by code point, including trailing blanks and emoji', async () => {
    const names = ['a', 'A', 'a ', 'á', '🐎', '🦄'];
    for (const name of names) await open.database.write((tx) => addProject(name)(tx));
    expect(await projects()).toEqual(expect.arrayContaining(names));
  });

  it('gives up a write with permanent conflicts, with ConcurrentUpdate', async () => {
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

  it('restarts in a new lane after its lane was deleted', async () => {
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
