// The facts of nova's databases that decide where instances go. A poll reads what changed, so reads of these facts never
// wait for a database unless the caller asks for newer data.
import type { ServiceNow } from '../../scheduler/ports';
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

/** Facts of nova's databases as of the last poll. */
export interface NovaFacts {
  /** Reads everything once. Throws with a message that names the database and the problem, without secrets. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Resolves when the data of every reachable cell is at most `maxAgeMs` old at the time of the call. A slow cell is not
   * waited for: its last data counts until it is too old, then its hosts are left out. Never throws.
   */
  refresh(maxAgeMs?: number): Promise<void>;
  /**
   * The compute services of these hosts as stored now: one statement for each cell. A cell that does not answer within
   * `waitMs` is left out until it does.
   */
  servicesNow(hosts: readonly string[]): Promise<ReadonlyMap<string, ServiceNow>>;
  /** Changes since the given version, 0 for everything. */
  changesSince(version: number): NovaChanges;
  status(): NovaStatus;
  /**
   * True if the figures of the instance's node were saved after the instance was first listed there. Until then the
   * host's free amounts can lack the instance. A compute commits `instances.host` before its `compute_nodes` row.
   */
  isCounted(host: string, instanceUuid: string): boolean;
  /** Cast `update_aggregates` or `delete_aggregate`: the tables of aggregates are read again at once. */
  readAggregatesAgain(): void;
  /** Cast `update_instance_info`: these instances are on the host. */
  updateInstances(host: string, uuids: readonly string[]): void;
  /** Cast `delete_instance_info`. */
  deleteInstance(host: string, uuid: string): void;
  /** Cast `sync_instance_info`: a list that differs from the known one is read from the cell by the next poll. */
  syncInstances(host: string, uuids: readonly string[]): void;
}
