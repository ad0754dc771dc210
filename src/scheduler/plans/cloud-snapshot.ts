// The cloud at one moment as plain data, in parts of limited size: each is serialised by itself, so that no part blocks
// the event loop, and transferred to the planning thread without a copy.
import { deserialize, serialize } from 'node:v8';
import type { RecordTexts } from '../../compute/instances/instance-texts';
import type { ServerGroup } from '../../compute/server-groups/server-group.entity';
import type { WholeConsumer } from '../../placement/allocations/consumer-pages.loader';
import type { Candidate, Provider } from '../../placement/candidate-search';
import { chunks } from '../../platform/database/sql';
import type { Task } from '../../platform/values/task';
import type { HostAggregateFacts, ServiceFacts } from '../../scheduling-rules/host-state/host-facts';
import type { HostSourceOptions } from '../adapters/resident-host-source';
import type { SchedulerOptions } from '../assemble/scheduler-options';

/** Amounts by class, by uuid of the provider. */
export type Shares = Candidate['allocations'];

export interface SnapshotSettings {
  readonly nowMs: number;
  readonly options: SchedulerOptions;
  readonly hosts: HostSourceOptions;
  /** A service whose last report is older counts as down. */
  readonly serviceDownSeconds: number;
  /** The facts of the hosts come from another source than the registries. */
  readonly isExternal: boolean;
}

/** A consumer of the tree of a host, with its recorded placement. */
export interface SnapshotConsumer extends Pick<WholeConsumer, 'uuid' | 'projectId' | 'userId' | 'consumerType'> {
  readonly shares: Shares;
  /** Null: Berth did not place it. */
  readonly record: (Omit<RecordTexts, 'uuid' | 'request'> & { readonly requestAt: number }) | null;
  /** Set if the consumer holds the old allocations of an instance that is being moved. */
  readonly movedInstance: string | null;
}

export type SnapshotGroup = Pick<ServerGroup, 'uuid' | 'name' | 'policy' | 'maxServerPerHost' | 'members'>;

export interface SnapshotRows {
  readonly providers: readonly Provider[];
  readonly services: readonly ServiceFacts[];
  readonly aggregates: readonly HostAggregateFacts[];
  readonly groups: readonly SnapshotGroup[];
  /** Distinct requests as JSON; consumers refer to them by position. */
  readonly requests: readonly string[];
  readonly consumers: readonly SnapshotConsumer[];
}

export interface CloudSnapshot {
  readonly settings: SnapshotSettings;
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
}

/** Rows of one part; reports of hosts are large. */
const ROWS_PER_PART = { providers: 50, services: 10, aggregates: 50, groups: 50, requests: 100, consumers: 100 };

/** Yields after each part. */
export function* serialized(rows: Partial<SnapshotRows>, parts: Uint8Array<ArrayBuffer>[]): Task<void> {
  for (const kind of Object.keys(rows) as (keyof SnapshotRows)[]) {
    for (const part of chunks<unknown>(rows[kind] ?? [], ROWS_PER_PART[kind])) {
      parts.push(serialize([kind, part]));
      yield;
    }
  }
}

export function rowsOf(parts: readonly Uint8Array[]): SnapshotRows {
  const rows = { providers: [], services: [], aggregates: [], groups: [], requests: [], consumers: [] };
  for (const part of parts) {
    const [kind, some] = deserialize(part) as [keyof SnapshotRows, readonly unknown[]];
    (rows[kind] as unknown[]).push(...some);
  }
  return rows;
}
