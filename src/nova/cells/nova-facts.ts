// The facts of nova's databases that decide where instances go. A poll reads what changed, so reads of these facts never
// wait for a database unless the caller asks for newer data.
import type { HostAggregateFacts, ServiceFacts } from '../../scheduling-rules/host-state/host-facts';

export interface Heartbeat {
  /** Of the service. */
  readonly id: number;
  readonly lastSeenUpMs: number;
}

/** What changed after a version. An id without a row no longer exists, or its host is left out. */
export interface NovaChanges {
  readonly version: number;
  readonly serviceIds: readonly number[];
  /** `pending` and `released` are empty: nova's databases do not contain Berth's placements. */
  readonly services: readonly ServiceFacts[];
  /** Services that had a heartbeat and possibly no other change. */
  readonly heartbeats: readonly Heartbeat[];
  readonly aggregateIds: readonly number[];
  readonly aggregates: readonly HostAggregateFacts[];
}

/**
 * `ready`: its hosts can be chosen. `loading`: the first read has not finished. `unreachable`: the last read failed or
 * is too old, so its hosts are left out.
 */
export type CellState = 'ready' | 'loading' | 'unreachable';

/** A database that is read: a cell, or the API database. Contains no address and no password. */
export interface DatabaseStatus {
  readonly state: CellState;
  /** Why it is not ready; null if it is. */
  readonly reason: string | null;
  /** Start of the last successful read; null before the first one. */
  readonly readAtMs: number | null;
  /** `alembic_version.version_num`; null before the first read. */
  readonly schemaVersion: string | null;
}

export interface CellStatus extends DatabaseStatus {
  readonly uuid: string;
  readonly name: string;
  /** Hosts that `host_mappings` assigns to the cell. */
  readonly mappedHosts: number;
  readonly nodes: number;
  readonly instances: number;
}

export type LeftOutReason =
  | 'not mapped'
  | 'mapped to another cell'
  | 'cell is not ready'
  | 'no compute service'
  | 'no compute node'
  | 'has not reported'
  | 'invalid row';

/** A host, or one node of a host, that no decision considers. */
export interface LeftOutHost {
  readonly host: string;
  /** Null: the whole host. */
  readonly node: string | null;
  /** Uuid of the cell whose rows are left out; null if no cell is known. */
  readonly cell: string | null;
  readonly reason: LeftOutReason;
  /** More about the reason, for operators. */
  readonly detail: string | null;
}

export interface NovaStatus {
  readonly api: DatabaseStatus;
  readonly cells: readonly CellStatus[];
  /** At most `NOVA_LIMITS.leftOutShown`; `leftOutCount` has the number of all. */
  readonly leftOut: readonly LeftOutHost[];
  readonly leftOutCount: number;
  readonly services: number;
  readonly version: number;
}
