import { DataSource } from 'typeorm';
import { DATABASE_LIMITS } from '../config/limits/database';
import { SqliteSource } from './sqlite-connection';
import { Sqlite } from './sqlite-driver';

const { preparedCharacters, preparedStatements } = DATABASE_LIMITS;

it.each([
  ['short statements', 20, preparedStatements],
  ['long statements', 10_000, Math.floor(preparedCharacters / 10_000)],
])('keeps only the latest %s, since each takes native memory', async (_, characters, kept) => {
  const source = new DataSource({ type: 'better-sqlite3', driver: Sqlite, database: ':memory:' });
  await source.initialize();
  const { databaseConnection: handle } = source.driver as unknown as {
    databaseConnection: InstanceType<typeof Sqlite>;
  };
  const prepare = jest.spyOn(handle, 'prepare');
  const connection = await new SqliteSource(source).acquire();
  const statement = (n: number): string => `SELECT ${n}`.padEnd(characters);
  const run = async (from: number, to: number): Promise<number> => {
    prepare.mockClear();
    for (let n = from; n < to; n += 1) await connection.execute(statement(n), []);
    return prepare.mock.calls.length;
  };

  expect(await run(0, kept)).toBe(kept);
  expect(await run(0, kept)).toBe(0);
  expect(await run(kept, kept + 1)).toBe(1);
  expect(await run(0, 1)).toBe(1);
  await source.destroy();
});
