// Inserts missing standard resource classes and traits at every start. Removes none; several processes can do it at
// once.
import type { Database } from '../platform/database/database';
import type { SqlValue } from '../platform/database/sql';
import { chunks, rowMarks } from '../platform/database/sql';
import { STANDARD_RESOURCE_CLASSES } from './domain/standard-resource-classes';
import { STANDARD_TRAITS } from './domain/standard-traits';

const ROWS_PER_STATEMENT = 200;

/** Returns the number of names that were missing. */
export async function syncStandardNames(database: Database, nowMs: number): Promise<number> {
  const known = await database.read(async (sql) => ({
    classes: new Set((await sql.query<{ name: string }>('SELECT name FROM resource_classes')).map((row) => row.name)),
    traits: new Set((await sql.query<{ name: string }>('SELECT name FROM traits')).map((row) => row.name)),
  }));
  const classes = STANDARD_RESOURCE_CLASSES.map((name, id): SqlValue[] => [id, name, nowMs]).filter(
    ([, name]) => !known.classes.has(String(name)),
  );
  const traits = STANDARD_TRAITS.filter((name) => !known.traits.has(name));
  if (classes.length + traits.length === 0) return 0;

  await database.write(async (tx) => {
    const keep = tx.dialect.onDuplicateIgnore('name');
    if (classes.length > 0) {
      await tx.run(
        `INSERT INTO resource_classes (id, name, created_at) VALUES ${rowMarks(classes.length, 3)}${keep}`,
        classes.flat(),
      );
    }
    for (const part of chunks(traits, ROWS_PER_STATEMENT)) {
      await tx.run(
        `INSERT INTO traits (name, created_at) VALUES ${rowMarks(part.length, 2)}${keep}`,
        part.flatMap((name): SqlValue[] => [name, nowMs]),
      );
    }
  });
  return classes.length + traits.length;
}
