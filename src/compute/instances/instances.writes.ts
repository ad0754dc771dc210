// Reads and writes of instances that the slices of hosts, services and server groups need.
import { hasAllocations } from '../../placement/consumers/consumers.sql';
import type { SqlParams, SqlReader, WriteTx } from '../../platform/database/sql';
import { chunks, marks, queryAmong, runAmong } from '../../platform/database/sql';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { Uuid } from '../../platform/values/uuid';

/**
 * Clients can delete allocations through the Placement API, which does not know instances. An instance therefore counts
 * as placed while its consumer has allocations, and during a move.
 */
export const HAS_ALLOCATIONS = hasAllocations('i.uuid');
export const IS_PLACED = `(${HAS_ALLOCATIONS} OR i.state = 'moving')`;

/** Whether an instance is placed on the host, or on the given node of it. */
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

interface PinnedInstance {
  readonly uuid: Uuid;
  readonly name: string | null;
}

/** Hosts per statement: their instances have documents, from which the zone is read. */
const HOSTS_PER_STATEMENT = 100;

/** At most `limit` placed instances on these hosts that asked for the zone and match `where`. */
export async function askedForZone(
  sql: SqlReader,
  { zone, hosts }: { readonly zone: string; readonly hosts: readonly string[] },
  { where, params, limit }: { readonly where: string; readonly params: SqlParams; readonly limit: number },
): Promise<readonly PinnedInstance[]> {
  const found: PinnedInstance[] = [];
  for (const part of chunks(hosts, HOSTS_PER_STATEMENT)) {
    const text =
      `SELECT i.uuid, i.name FROM scheduler_instances i WHERE i.host IN (${marks(part.length)}) AND ${where} ` +
      `AND ${sql.dialect.jsonText('i.request', 'availability_zone')} = ? AND ${IS_PLACED} LIMIT ${limit - found.length}`;
    found.push(...(await sql.query<PinnedInstance>(text, [...part, ...params, zone])));
    if (found.length === limit) break;
    // SQLite runs each statement at once.
    await tasks.yieldToEventLoop();
  }
  return found;
}

export interface ZonedInstance extends PinnedInstance {
  readonly host: string;
  /** The zone that its request named. */
  readonly zone: string;
}

/** The placed instances that asked for a zone and for which `isOutside` holds. Reads row by row. */
export async function zonedInstances(
  sql: SqlReader,
  isOutside: (instance: ZonedInstance) => boolean,
): Promise<readonly ZonedInstance[]> {
  const zone = sql.dialect.jsonText('i.request', 'availability_zone');
  const found: ZonedInstance[] = [];
  await sql.each<ZonedInstance>(
    `SELECT i.uuid, i.name, i.host, ${zone} AS zone FROM scheduler_instances i WHERE ${zone} IS NOT NULL AND ${IS_PLACED}`,
    [],
    (row) => {
      if (isOutside(row)) found.push(row);
    },
  );
  return found;
}

/** The names that the requests gave; instances without a name are absent. */
export async function namesOf(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
  const text = (among: string): string =>
    `SELECT uuid, name FROM scheduler_instances WHERE uuid IN (${among}) AND name IS NOT NULL`;
  const rows = await queryAmong<{ uuid: Uuid; name: string }>(sql, uuids, text);
  return new Map(rows.map(({ uuid, name }) => [uuid, name]));
}

/** Marks instances that a report lists: they are no longer pending. */
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

/** Deletes releases of instances that the newest report of the host no longer lists. */
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

/** Deletes all releases on the host, or on the given node of it. */
export async function forgetReleasesOn(tx: WriteTx, host: string, node?: string): Promise<void> {
  const [text, params] = node === undefined ? ['', [host]] : [' AND node = ?', [host, node]];
  await tx.run(`DELETE FROM scheduler_releases WHERE host = ?${text}`, params);
}
