// Pages of the consumers of a type, in row order. A scan of all consumers in pages blocks no other request.
import type { SqlReader } from '../../platform/database/sql';
import { queryAmong } from '../../platform/database/sql';
import { addTo } from '../../platform/values/lists-by-key';

export interface ConsumerPage {
  /** Consumers of this type that were created before the given time. */
  readonly uuids: readonly string[];
  /** Id of the last row that was read; null if there are no more rows. */
  readonly next: number | null;
}

/** Reads the next `limit` rows after `after`, of all types. */
export async function loadConsumersOfType(
  sql: SqlReader,
  { type, createdBeforeMs }: { readonly type: string; readonly createdBeforeMs: number },
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ConsumerPage> {
  const rows = await sql.query<{ id: number; uuid: string; created_at: number | string; type: string | null }>(
    'SELECT c.id, c.uuid, c.created_at, t.name AS type FROM consumers c ' +
      `LEFT JOIN consumer_types t ON t.id = c.consumer_type_id WHERE c.id > ? ORDER BY c.id LIMIT ${limit}`,
    [after],
  );
  const matchingRows = rows.filter((row) => row.type === type && Number(row.created_at) < createdBeforeMs);
  return { uuids: matchingRows.map(({ uuid }) => uuid), next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

/** Ids of the providers on which these consumers have allocations. */
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
