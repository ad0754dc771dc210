// What hosts, services and server groups ask and tell of instances: whether any is placed on a host, what its reports list.
import { hasAllocations } from '../../consumers/consumers.sql';
import { queryAmong, runAmong } from '../../database/sql';
import type { SqlReader, WriteTx } from '../../database/sql';
import type { Uuid } from '../../domain/uuid';

/**
 * Allocations may go by the Placement API, which knows nothing of instances: the record says what was placed, its consumer
 * whether it still is. One that is being moved is brought to an end by whoever moves it.
 */
export const HAS_ALLOCATIONS = hasAllocations('i.uuid');
export const IS_PLACED = `(${HAS_ALLOCATIONS} OR i.state = 'moving')`;

/** Whether anything is placed on a host, or on one of its nodes. */
export async function hasInstancesOn(sql: SqlReader, host: string, node?: string): Promise<boolean> {
  const [text, params] = node === undefined ? ['', [host]] : [' AND i.node = ?', [host, node]];
  return (
    (await sql.query(`SELECT 1 FROM scheduler_instances i WHERE i.host = ?${text} AND ${IS_PLACED} LIMIT 1`, params))
      .length > 0
  );
}

/** The hosts of those instances that are placed. */
export async function hostsOf(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
  const text = (among: string): string =>
    `SELECT i.uuid, i.host FROM scheduler_instances i WHERE i.uuid IN (${among}) AND ${IS_PLACED}`;
  const rows = await queryAmong<{ uuid: Uuid; host: string }>(sql, uuids, text);
  return new Map(rows.map(({ uuid, host }) => [uuid, host]));
}

/** A report lists these instances: they are pending no longer. */
export async function markListed(
  tx: WriteTx,
  place: { readonly host: string; readonly node: string },
  uuids: readonly Uuid[],
  nowMs: number,
): Promise<void> {
  const text = (among: string): string =>
    `UPDATE scheduler_instances SET listed_at = ? WHERE host = ? AND node = ? AND listed_at IS NULL AND uuid IN (${among})`;
  await runAmong(tx, uuids, text, { before: [nowMs, place.host, place.node] });
}

/** Forgets releases that the newest report of the host lists no longer. */
export async function forgetReleases(
  tx: WriteTx,
  place: { readonly host: string; readonly node: string },
  stillListed: ReadonlySet<Uuid>,
): Promise<void> {
  const rows = await tx.query<{ id: number; uuid: Uuid }>(
    'SELECT id, uuid FROM scheduler_releases WHERE host = ? AND node = ?',
    [place.host, place.node],
  );
  const gone = rows.filter(({ uuid }) => !stillListed.has(uuid)).map(({ id }) => id);
  await runAmong(tx, gone, (among) => `DELETE FROM scheduler_releases WHERE id IN (${among})`);
}

/** Forgets everything released on a host, or on one of its nodes. */
export async function forgetReleasesOn(tx: WriteTx, host: string, node?: string): Promise<void> {
  const [text, params] = node === undefined ? ['', [host]] : [' AND node = ?', [host, node]];
  await tx.run(`DELETE FROM scheduler_releases WHERE host = ?${text}`, params);
}
