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
  readonly row: ServiceRow;
  readonly service: HostService;
  /** 0: not reported. */
  readonly version: number;
}

export class ServiceTable {
  private byHost = new Map<string, ComputeService>();

  get size(): number {
    return this.byHost.size;
  }

  get hosts(): Iterable<string> {
    return this.byHost.keys();
  }

  ofHost(host: string): ComputeService | undefined {
    return this.byHost.get(host);
  }

  /** Replaces all rows. An unchanged row keeps its object. */
  replace(rows: readonly ServiceRow[], changed: Set<string>): void {
    const next = new Map<string, ComputeService>();
    for (const row of rows) {
      const known = this.byHost.get(row.host);
      const isUnchanged = known !== undefined && isSame(known.row, row);
      next.set(row.host, isUnchanged ? known : serviceOf(row));
      if (!isUnchanged) changed.add(row.host);
    }
    for (const host of this.byHost.keys()) if (!next.has(host)) changed.add(host);
    this.byHost = next;
  }
}

const isSame = (one: ServiceRow, other: ServiceRow): boolean =>
  one.last_seen_up === other.last_seen_up &&
  one.disabled === other.disabled &&
  one.disabled_reason === other.disabled_reason &&
  one.forced_down === other.forced_down &&
  one.created_at === other.created_at &&
  one.version === other.version;

const serviceOf = (row: ServiceRow): ComputeService => ({
  row,
  service: {
    disabled: row.disabled === 1,
    disabledReason: row.disabled_reason,
    forcedDown: row.forced_down === 1,
    lastSeenUpMs: millisecondsOf(row.last_seen_up),
    createdAtMs: millisecondsOf(row.created_at) ?? 0,
    // A heartbeat moves `updated_at`, so nothing tells when an operator changed the service.
    updatedAtMs: null,
  },
  version: row.version ?? 0,
});
