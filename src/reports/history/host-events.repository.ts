// Changes of hosts in the database. Law: two events of one fact that follow each other differ, and each has one successor.
// So a change that several processes see is recorded once.
import type { SqlReader, WriteTx } from '../../platform/database/sql';

/** A fact of a provider changed. */
export interface HostEvent {
  readonly at: number;
  readonly provider_uuid: string;
  readonly name: string;
  readonly fact: string;
  /** Null, as `became`: the fact was not there. */
  readonly was: string | null;
  readonly became: string | null;
}

/** The newest rows are kept. */
export const EVENTS_KEPT = 10_000;
const COLUMNS = 'at, provider_uuid, name, fact, was, became';

/** Only if the last event of the fact says otherwise. */
const INSERT =
  `INSERT INTO host_events (${COLUMNS}, previous) SELECT ?, ?, ?, ?, ?, ?, COALESCE(l.id, 0) ` +
  'FROM (SELECT 1 AS one) o LEFT JOIN host_events l ON l.id = ' +
  '(SELECT MAX(e.id) FROM host_events e WHERE e.provider_uuid = ? AND e.fact = ?) ' +
  "WHERE l.id IS NULL OR COALESCE(l.became, '') <> ?";
const TRIM = `DELETE FROM host_events WHERE id <= (SELECT id FROM (SELECT MAX(id) - ${EVENTS_KEPT} AS id FROM host_events) m)`;

export async function recordEvents(tx: WriteTx, events: readonly HostEvent[]): Promise<void> {
  const sql = INSERT + tx.dialect.onDuplicate('provider_uuid, fact, previous', ['became']);
  const rows = events.map(({ at, provider_uuid: uuid, name, fact, was, became }) => ({
    sql,
    params: [at, uuid, name, fact, was, became, uuid, fact, became ?? ''],
  }));
  await tx.batch([...rows, { sql: TRIM, params: [] }]);
}

/** Newest first. */
export const eachSince = (sql: SqlReader, sinceMs: number, take: (event: HostEvent) => void): Promise<void> =>
  sql.each<HostEvent>(`SELECT ${COLUMNS} FROM host_events WHERE at >= ? ORDER BY at DESC, id`, [sinceMs], take);
