// Everything the database says about the cloud, as text: two dumps are equal when a request between them changed nothing.
// Left out is what a refused write may leave behind: the log and its lanes, and owners, which are never removed.
import type { Database } from '../../src/database/database';

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
