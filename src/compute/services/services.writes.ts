// Row locks of services. A writer of a host's data locks the service row first. This serialises the reports of a host
// with the changes that operators make to it.
import type { WriteTx } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import { ComputeService } from './service.entity';

const SERVICES = new Table(ComputeService).all;

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

/** Locks the service's row until commit. */
export async function holdService(tx: WriteTx, host: string): Promise<ComputeService | undefined> {
  const [row] = await tx.query<object>(
    `SELECT ${SERVICES.of('s')} FROM scheduler_services s WHERE s.host = ?${tx.dialect.forUpdate}`,
    [host],
  );
  return row === undefined ? undefined : SERVICES.read(row);
}
