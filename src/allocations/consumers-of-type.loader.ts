// Consumers of a type, in the order of their rows and in bites: whoever looks at all of them holds nobody up.
import { queryAmong } from '../database/sql';
import type { SqlReader } from '../database/sql';
import { addTo } from '../domain/lists-by-key';

export interface ConsumerBite {
  /** Of this type, and older than asked. */
  readonly uuids: readonly string[];
  /** The row that was looked at last; null: there are no further ones. */
  readonly next: number | null;
}

/** The next so many rows behind one, whatever their type. */
export async function loadConsumersOfType(
  sql: SqlReader,
  { type, createdBeforeMs }: { readonly type: string; readonly createdBeforeMs: number },
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ConsumerBite> {
  const rows = await sql.query<{ id: number; uuid: string; created_at: number | string; type: string | null }>(
    'SELECT c.id, c.uuid, c.created_at, t.name AS type FROM consumers c ' +
      `LEFT JOIN consumer_types t ON t.id = c.consumer_type_id WHERE c.id > ? ORDER BY c.id LIMIT ${limit}`,
    [after],
  );
  const asked = rows.filter((row) => row.type === type && Number(row.created_at) < createdBeforeMs);
  return { uuids: asked.map(({ uuid }) => uuid), next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

/** Ids of the providers that these consumers have allocations on. */
export async function loadProvidersOfConsumers(
  sql: SqlReader,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const text = (among: string): string =>
    'SELECT c.uuid, a.resource_provider_id AS provider FROM consumers c ' +
    `JOIN allocations a ON a.consumer_id = c.id WHERE c.uuid IN (${among})`;
  const found = new Map<string, number[]>();
  for (const { uuid, provider } of await queryAmong<{ uuid: string; provider: number }>(sql, uuids, text)) {
    addTo(found, uuid, provider);
  }
  return found;
}
