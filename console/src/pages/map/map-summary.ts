// The figures of each group of the map.
import type { MapReport } from '../../service/reports';
import { countBy } from '../../shown/count-by';
import type { HostGroup, MapHost } from './map-groups';
import type { Shades } from './map-kinds';

export interface GroupSummary {
  readonly group: HostGroup;
  /** Number of hosts by the key of their kind. */
  readonly counts: ReadonlyMap<string, number>;
  /** Mean over the hosts that have a share; undefined if none has. */
  readonly meanShare: number | undefined;
  readonly highest: MapHost | undefined;
}

export function summaryOf(group: HostGroup, { hosts }: MapReport, { keys }: Pick<Shades, 'keys'>): GroupSummary {
  let sum = 0;
  let measured = 0;
  let highest: MapHost | undefined;
  for (const place of group.members) {
    const host = hosts[place];
    const share = host?.share ?? null;
    if (share === null) continue;
    sum += share;
    measured += 1;
    if (highest === undefined || share > (highest.share ?? 0)) highest = host;
  }
  const counts = countBy(group.members.map((place) => keys[place] ?? ''));
  return { group, counts, meanShare: measured === 0 ? undefined : sum / measured, highest };
}
