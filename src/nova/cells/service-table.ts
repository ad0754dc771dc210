// The nova-compute rows of `services` of one cell, in memory. They are read whole, because a heartbeat moves each of
// them every 10 s.
import type { HostService } from '../../scheduling-rules/host-state/host-state';
import { millisecondsOf } from './stamps';

export interface ServiceRow {
  readonly host: string;
  readonly disabled: number | null;
  readonly disabled_reason: string | null;
  readonly forced_down: number | null;
  readonly last_seen_up: string | null;
  readonly created_at: string | null;
  readonly version: number | null;
}

export const SERVICES_QUERY =
  'SELECT host, disabled, disabled_reason, forced_down, last_seen_up, created_at, version FROM services ' +
  "WHERE `binary` = 'nova-compute' AND deleted = 0 AND host IS NOT NULL";

export interface ComputeService {
  /** Row and service as of their last change other than a heartbeat. */
  readonly row: ServiceRow;
  readonly service: HostService;
  /** 0: not reported. */
  readonly version: number;
  /** The last heartbeat. */
  lastSeenUp: string | null;
  lastSeenUpMs: number | null;
}

export class ServiceTable {
  private readonly byHost = new Map<string, ComputeService>();

  get hosts(): Iterable<string> {
    return this.byHost.keys();
  }

  ofHost(host: string): ComputeService | undefined {
    return this.byHost.get(host);
  }

  /**
   * A newer heartbeat alone adds the host to `heartbeats` and keeps the object: a cloud has thousands of them each second.
   * Any other change replaces the object and adds the host to `changed`.
   */
  apply(row: ServiceRow, changed: Set<string>, heartbeats: Set<string>): void {
    const known = this.byHost.get(row.host);
    if (known !== undefined && isSame(known.row, row)) {
      if (known.lastSeenUp === row.last_seen_up) return;
      const lastSeenUpMs = millisecondsOf(row.last_seen_up);
      if (lastSeenUpMs !== null && lastSeenUpMs > (known.lastSeenUpMs ?? 0)) {
        known.lastSeenUp = row.last_seen_up;
        known.lastSeenUpMs = lastSeenUpMs;
        heartbeats.add(row.host);
        return;
      }
    }
    const service = hostServiceOf(row);
    const { last_seen_up: lastSeenUp, version } = row;
    this.byHost.set(row.host, { row, service, version: version ?? 0, lastSeenUp, lastSeenUpMs: service.lastSeenUpMs });
    changed.add(row.host);
  }

  /** Removes the services without a row. */
  retain(rows: readonly ServiceRow[], changed: Set<string>): void {
    if (this.byHost.size === rows.length) return;
    const present = new Set(rows.map(({ host }) => host));
    for (const host of [...this.byHost.keys()]) {
      if (present.has(host)) continue;
      this.byHost.delete(host);
      changed.add(host);
    }
  }
}

/** Equal except for the heartbeat. */
const isSame = (one: ServiceRow, other: ServiceRow): boolean =>
  one.disabled === other.disabled &&
  one.disabled_reason === other.disabled_reason &&
  one.forced_down === other.forced_down &&
  one.created_at === other.created_at &&
  one.version === other.version;

export const hostServiceOf = (row: ServiceRow): HostService => ({
  disabled: row.disabled === 1,
  disabledReason: row.disabled_reason,
  forcedDown: row.forced_down === 1,
  lastSeenUpMs: millisecondsOf(row.last_seen_up),
  createdAtMs: millisecondsOf(row.created_at) ?? 0,
  // A heartbeat moves `updated_at`, so nothing tells when an operator changed the service.
  updatedAtMs: null,
});
