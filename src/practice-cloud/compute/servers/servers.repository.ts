// Servers and their actions in the database. The registry of instances stores the host of each server.
import { equal, whereOf } from '../../../compute/registry-page.sql';
import type { SqlReader, WriteTx } from '../../../platform/database/sql';
import { queryAmong, runAmong } from '../../../platform/database/sql';
import { Table } from '../../../platform/database/table';
import type { Uuid } from '../../../platform/values/uuid';
import type { NewAction, NewServer, ServerChange } from './server.entity';
import { ServerAction, ServerRecord } from './server.entity';

/** The stored actions of one server. */
const ACTIONS_KEPT = 100;

const SERVERS = new Table(ServerRecord);
const ACTIONS = new Table(ServerAction);
const FLAVOR = SERVERS.only('flavor');
const NAMES = SERVERS.only('uuid', 'name', 'projectId');
const SELECT = `SELECT ${SERVERS.all.of('s')} FROM facade_servers s`;
const SELECT_ACTIONS = `SELECT ${ACTIONS.all.of('a')} FROM facade_server_actions a`;
/** Small, because each row holds whole documents. */
const ROWS_PER_STATEMENT = 200;

export function insertServers(tx: WriteTx, servers: readonly NewServer[]): Promise<void> {
  return SERVERS.without('id', 'updatedAtMs').insertAll(tx, servers, { size: ROWS_PER_STATEMENT });
}

export async function findServer(sql: SqlReader, uuid: Uuid): Promise<ServerRecord | undefined> {
  const [row] = await sql.query<object>(`${SELECT} WHERE s.uuid = ?`, [uuid]);
  return row === undefined ? undefined : SERVERS.read(row);
}

/** Newest first. `projectId`: undefined for all. `before`: row id of the last server on the previous page. */
export async function listServers(
  sql: SqlReader,
  projectId: string | undefined,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly ServerRecord[]> {
  const { where, params } = whereOf([
    ...(before === undefined ? [] : [['s.id < ?', [before]] as const]),
    ...equal({ 's.project_id': projectId }),
  ]);
  const found: ServerRecord[] = [];
  const text = `${SELECT}${where} ORDER BY s.id DESC LIMIT ${limit}`;
  await sql.each<object>(text, params, (row) => found.push(SERVERS.read(row)));
  return found;
}

export interface ServerUsage {
  readonly instances: number;
  readonly cores: number;
  readonly ramMb: number;
}

/** Sums of the flavors of a project's servers. */
export async function usageOf(sql: SqlReader, projectId: string): Promise<ServerUsage> {
  const usage = { instances: 0, cores: 0, ramMb: 0 };
  await sql.each<object>(
    `SELECT ${FLAVOR.of('s')} FROM facade_servers s WHERE s.project_id = ?`,
    [projectId],
    (row) => {
      const { vcpus, memoryMb } = FLAVOR.read(row).flavor;
      usage.instances += 1;
      usage.cores += vcpus;
      usage.ramMb += memoryMb;
    },
  );
  return usage;
}

/** Uuids that belong to no server are missing. */
export async function namesOf(
  sql: SqlReader,
  uuids: readonly Uuid[],
): Promise<readonly Pick<ServerRecord, 'uuid' | 'name' | 'projectId'>[]> {
  const text = (among: string): string => `SELECT ${NAMES.of('s')} FROM facade_servers s WHERE s.uuid IN (${among})`;
  return (await queryAmong<object>(sql, uuids, text)).map((row) => NAMES.read(row));
}

/**
 * Starts an action on the server. Returns false if another one is in progress or the state has changed since the read.
 */
export async function takeServer(
  tx: WriteTx,
  { uuid, vmState }: Pick<ServerRecord, 'uuid' | 'vmState'>,
  taskState: string,
): Promise<boolean> {
  const text = 'UPDATE facade_servers SET task_state = ? WHERE uuid = ? AND vm_state = ? AND task_state IS NULL';
  return (await tx.run(text, [taskState, uuid, vmState])) === 1;
}

export function leaveServer(tx: WriteTx, uuid: Uuid): Promise<number> {
  return tx.run('UPDATE facade_servers SET task_state = NULL WHERE uuid = ?', [uuid]);
}

/** Returns how many of the servers exist. */
export function updateServers(
  tx: WriteTx,
  uuids: readonly Uuid[],
  change: ServerChange,
  nowMs: number,
): Promise<number> {
  const columns = SERVERS.only(...(Object.keys(change) as (keyof ServerChange)[]), 'updatedAtMs');
  const text = (among: string): string => `UPDATE facade_servers SET ${columns.assigned} WHERE uuid IN (${among})`;
  return runAmong(tx, uuids, text, { before: columns.valuesOf({ ...change, updatedAtMs: nowMs }) });
}

/** Also deletes the actions of the servers. */
export function deleteServers(tx: WriteTx, uuids: readonly Uuid[]): Promise<number> {
  return runAmong(tx, uuids, (among) => `DELETE FROM facade_servers WHERE uuid IN (${among})`);
}

export function insertActions(tx: WriteTx, actions: readonly NewAction[]): Promise<void> {
  return ACTIONS.without('id').insertAll(tx, actions);
}

/** Deletes the oldest actions of a server beyond the limit. */
export async function trimActions(tx: WriteTx, uuid: Uuid): Promise<void> {
  const [oldest] = await tx.query<{ id: number }>(
    `SELECT id FROM facade_server_actions WHERE server_uuid = ? ORDER BY id DESC LIMIT 1 OFFSET ${ACTIONS_KEPT}`,
    [uuid],
  );
  if (oldest === undefined) return;
  await tx.run('DELETE FROM facade_server_actions WHERE server_uuid = ? AND id <= ?', [uuid, oldest.id]);
}

/** Newest first. */
export async function listActions(sql: SqlReader, uuid: Uuid): Promise<readonly ServerAction[]> {
  const rows = await sql.query<object>(`${SELECT_ACTIONS} WHERE a.server_uuid = ? ORDER BY a.id DESC`, [uuid]);
  return rows.map((row) => ACTIONS.read(row));
}
