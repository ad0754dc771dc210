// All hosts of the cloud as short as they can be said, for a picture of them: names of what they share stand once.
import { REPORT_LIMITS } from '../../config/limits';
import { presentTime } from '../../compute/registry-page';
import type { Walk } from '../../domain/walk';
import { HOST_STATUSES } from '../cloud/host-status';
import type { Cloud, CloudHost } from '../cloud/reported-cloud';
import { sumsOf } from '../cloud/tree-sums';
import { shareUsed } from '../hosts/host-order';

/** What a cell is coloured by; null: by its status alone. */
export type CellValue = (host: CloudHost) => number | null;

/** Cells written between two chances of others. */
const CELLS_PER_STEP = 500;

const PRECISION = 10_000;

export const useOf =
  (resourceClass: string): CellValue =>
  ({ tree }) => {
    const sum = sumsOf(tree).classes.get(resourceClass);
    const share = sum === undefined ? null : shareUsed(sum);
    return share === null ? null : Math.round(share * PRECISION) / PRECISION;
  };

export const hasTrait =
  (trait: string): CellValue =>
  ({ tree }) =>
    sumsOf(tree).traits.has(trait) ? 1 : 0;

export function* presentMap(
  { atMs, hosts, hostAggregates }: Cloud,
  valueOf: CellValue,
  most: number = REPORT_LIMITS.mapHosts,
): Walk<object> {
  const zones: (string | null)[] = [];
  const zoneAt = new Map<string | null, number>();
  const aggregateAt = new Map(hostAggregates.map(({ uuid }, at) => [uuid, at]));
  /** Hosts of the same aggregates share one list of them. */
  const listAt = new Map<object, readonly number[]>();
  const statusAt = new Map(HOST_STATUSES.map((status, at) => [status, at]));
  const cells: (readonly unknown[])[] = [];
  for (const host of hosts.slice(0, most)) {
    if (cells.length % CELLS_PER_STEP === CELLS_PER_STEP - 1) yield;
    const { tree, zone, known, status } = host;
    if (!zoneAt.has(zone)) zoneAt.set(zone, zones.push(zone) - 1);
    let places = listAt.get(known.aggregates);
    if (places === undefined) {
      places = known.aggregates.flatMap(({ uuid }) => aggregateAt.get(uuid) ?? []);
      listAt.set(known.aggregates, places);
    }
    cells.push([tree.root.uuid, tree.root.name, zoneAt.get(zone), places, statusAt.get(status), valueOf(host)]);
  }
  return {
    at: presentTime(atMs),
    zones,
    host_aggregates: hostAggregates.map(({ uuid, name }) => ({ uuid, name })),
    statuses: HOST_STATUSES,
    hosts: cells,
    truncated: hosts.length > most,
  };
}
