// Long texts are sent to the server differently from short ones; the stored data, and the effect of errors, are the
// same.
import { DATABASE_LIMITS } from '../../src/platform/config/limits/database';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

const LONG = DATABASE_LIMITS.longTextCharacters + 1;
const TEXTS = {
  plain: 'x'.repeat(LONG),
  'of two bytes a character': 'é'.repeat(LONG),
  'of four bytes a character': '😀'.repeat(LONG / 2),
  'that would have to be escaped': `'"\\\n\0\u001a%?`.repeat(LONG / 8),
};

interface Row {
  readonly id: number;
  readonly amount: number;
  readonly ratio: number;
  readonly note: string;
  readonly absent: null;
}

describe.each(testDatabaseKinds())('long texts on %s', (kind) => {
  let open: OpenDatabase;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
    await open.database.write((tx) =>
      tx.run(
        'CREATE TABLE notes (id INTEGER PRIMARY KEY, amount BIGINT, ratio DOUBLE, note LONGTEXT, absent TEXT)' +
          // The server's own character set can be latin1.
          (kind === 'mysql' ? ' CHARACTER SET utf8mb4' : ''),
      ),
    );
  });
  afterAll(() => open.close());
  beforeEach(() => open.database.write((tx) => tx.run('DELETE FROM notes')));

  const INSERT = 'INSERT INTO notes (id, amount, ratio, note, absent) VALUES (?, ?, ?, ?, ?)';
  const rows = (): Promise<readonly Row[]> =>
    open.database.read((sql) => sql.query<Row>('SELECT id, amount, ratio, note, absent FROM notes ORDER BY id'));

  it.each(Object.entries(TEXTS))('are read as they were written: %s', async (_, note) => {
    const amount = Number.MAX_SAFE_INTEGER;
    await open.database.write((tx) => tx.run(INSERT, [1, amount, 0.1, note, null]));
    const [row] = await rows();
    expect({ ...row, note: row?.note === note }).toEqual({ id: 1, amount, ratio: 0.1, note: true, absent: null });
  });

  it('keep the order of the statements, between short ones', async () => {
    const notes = ['short', TEXTS.plain, 'short too', TEXTS['of two bytes a character'], ''];
    await open.database.write(async (tx) => {
      await Promise.all(notes.map((note, id) => tx.run(INSERT, [id, id, id, note, null])));
      await tx.run('UPDATE notes SET amount = amount + 10 WHERE note = ?', [TEXTS.plain]);
    });
    const found = await rows();
    expect(found.map(({ note }) => note.length)).toEqual(notes.map((note) => note.length));
    expect(found.map(({ amount }) => amount)).toEqual([0, 11, 2, 3, 4]);
  });

  it('are rolled back if one of them, or a parallel statement, fails', async () => {
    const twice = open.database.write((tx) =>
      Promise.all([1, 2, 2, 3].map((id) => tx.run(INSERT, [id, id, id, id === 3 ? 'short' : TEXTS.plain, null]))),
    );
    // The driver's error class can belong to another suite of the process, so `instanceof Error` fails.
    expect(
      await twice.then(
        () => 'written',
        () => 'refused',
      ),
    ).toBe('refused');
    expect(await rows()).toEqual([]);
  });
});
