// All facts about the cloud in the database, as text: two equal dumps prove that a request changed nothing. Excluded
// are the change log, its lanes and the owners (which are never removed): a refused write can leave them behind.
import type { Database } from '../../src/platform/database/database';

const TABLES: readonly (readonly [table: string, condition: string])[] = [
  ['resource_classes', ` WHERE name LIKE 'CUSTOM%'`],
  ['traits', ` WHERE name LIKE 'CUSTOM%'`],
  ['placement_aggregates', ''],
  ['resource_providers', ''],
  ['inventories', ''],
  ['resource_provider_traits', ''],
  ['resource_provider_aggregates', ''],
  ['consumers', ''],
  ['allocations', ''],
];

export function dumpTables(database: Database): Promise<string> {
  return database.readSnapshot(async (sql) => {
    const lines: string[] = [];
    for (const [table, condition] of TABLES) {
      const rows = await sql.query<object>(`SELECT * FROM ${table}${condition}`);
      lines.push(table, ...rows.map((row) => `  ${JSON.stringify(row)}`).sort());
    }
    return lines.join('\n');
  });
}
