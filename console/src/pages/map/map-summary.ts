// The figures of each group of the map.
import type { MapReport } from '../../service/reports';
import type { HostGroup, MapHost } from './map-groups';

export interface GroupSummary {
  readonly group: HostGroup;
  /** Number of hosts of each kind. */
  readonly counts: readonly number[];
  /** Mean over the hosts that have the class; undefined if none has it or the map does not show usage. */
  readonly meanUse: number | undefined;
  readonly fullest: MapHost | undefined;
}

export function summaryOf(
  group: HostGroup,
  { hosts }: MapReport,
  { kindOf, kinds }: { readonly kindOf: Uint8Array; readonly kinds: number },
): GroupSummary {
  const counts = Array.from({ length: kinds }, () => 0);
  let sum = 0;
  let measured = 0;
  let fullest: MapHost | undefined;
  for (const place of group.members) {
    const host = hosts[place];
    if (host === undefined) continue;
    const kind = kindOf[place] ?? 0;
    counts[kind] = (counts[kind] ?? 0) + 1;
    const value = host[5];
    if (value === null) continue;
    sum += value;
    measured += 1;
    if (fullest === undefined || value > (fullest[5] ?? 0)) fullest = host;
  }
  return { group, counts, meanUse: measured === 0 ? undefined : sum / measured, fullest };
}
