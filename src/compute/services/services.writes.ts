// Row locks of services. A writer of a host's data locks the service row first. This serialises the reports of a host
// with the changes that operators make to it.
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import { ComputeService } from './service.entity';

const SERVICES = new Table(ComputeService).all;
const REFUSAL_CHARACTERS = 1_000;

/** Updates the time of the last report, which locks the row. The first report of a host creates it. */
export async function markServiceUp(tx: WriteTx, host: string, nowMs: number): Promise<void> {
  const matched = await tx.run('UPDATE scheduler_services SET last_seen_up = ? WHERE host = ?', [nowMs, host]);
  if (matched === 1) return;
  await tx.run(
    'INSERT INTO scheduler_services (host, last_seen_up, created_at) VALUES (?, ?, ?)' +
      tx.dialect.onDuplicate('host', ['last_seen_up']),
    [host, nowMs, nowMs],
  );
}

/** Records why a report of the host was refused. A host that never reported has no row, and gets none. */
export async function markReportRefused(tx: WriteTx, host: string, refusal: string, nowMs: number): Promise<void> {
  await tx.run('UPDATE scheduler_services SET refused_at = ?, refusal = ? WHERE host = ?', [
    nowMs,
    refusal.slice(0, REFUSAL_CHARACTERS),
    host,
  ]);
}

/** The reasons by host, of hosts whose last report was refused. */
export async function refusedReports(sql: SqlReader): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ readonly host: string; readonly refusal: string }>(
    'SELECT host, refusal FROM scheduler_services WHERE refused_at >= COALESCE(last_seen_up, 0)',
  );
  return new Map(rows.map(({ host, refusal }) => [host, refusal]));
}

/** Locks the service's row until commit. */
export async function holdService(tx: WriteTx, host: string): Promise<ComputeService | undefined> {
  const [row] = await tx.query<object>(
    `SELECT ${SERVICES.of('s')} FROM scheduler_services s WHERE s.host = ?${tx.dialect.forUpdate}`,
    [host],
  );
  return row === undefined ? undefined : SERVICES.read(row);
}
