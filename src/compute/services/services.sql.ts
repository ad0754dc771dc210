// SQL fragments about services for the statements of other slices, which can then stay single statements.
import type { Condition } from '../registry-page.sql';
import { equal } from '../registry-page.sql';
import type { ServiceState } from './service-liveness';

/** The zone of the host of service `s`. */
export const ZONE =
  'SELECT MIN(m.value) FROM host_aggregate_hosts ah JOIN host_aggregate_metadata m ' +
  "ON m.aggregate_id = ah.aggregate_id AND m.name = 'availability_zone' WHERE ah.host = s.host";

/** Conditions on service `s`. */
export interface ServiceStatusFilter {
  readonly host?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isForcedDown?: boolean | undefined;
  readonly state?:
    | { readonly requestedState: ServiceState; readonly nowMs: number; readonly downSeconds: number }
    | undefined;
  /** `isDefault`: also matches hosts without a zone of their own. */
  readonly zone?: { readonly name: string; readonly isDefault: boolean } | undefined;
}

export function statusConditions(filter: ServiceStatusFilter): readonly Condition[] {
  const flag = (is: boolean | undefined): number | undefined => (is === undefined ? undefined : Number(is));
  const all: Condition[] = [
    ...equal({
      's.host': filter.host,
      's.disabled': flag(filter.isDisabled),
      's.forced_down': flag(filter.isForcedDown),
    }),
  ];
  if (filter.state !== undefined) {
    const { requestedState, nowMs, downSeconds } = filter.state;
    const isUp = '(s.forced_down = 0 AND COALESCE(s.last_seen_up, s.created_at) BETWEEN ? AND ?)';
    const range = [nowMs - downSeconds * 1000, nowMs + downSeconds * 1000];
    all.push([requestedState === 'up' ? isUp : `NOT ${isUp}`, range]);
  }
  if (filter.zone !== undefined) {
    const { name, isDefault } = filter.zone;
    all.push(isDefault ? [`COALESCE((${ZONE}), ?) = ?`, [name, name]] : [`(${ZONE}) = ?`, [name]]);
  }
  return all;
}
