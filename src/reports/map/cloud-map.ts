// All hosts of the cloud in a compact form, for a map: host aggregates appear once, and hosts name them by their position.
import { presentTime } from '../../compute/registry-page';
import type { LongBody } from '../../platform/http/body-bytes';
import { bodyWithList } from '../../platform/http/long-json';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { Cloud } from '../../scheduler/cloud/cloud-reader';
import type { HostStatus } from '../../scheduler/cloud/host-status';
import { classSum, traitsOf } from '../../scheduler/cloud/tree-sums';
import type { UnfitReason } from '../fit/flavor-fits';
import { shareUsed } from '../hosts/host-order';
import { hostSentence } from '../stranded/bottleneck';
import type { StrandedAmounts } from '../stranded/stranded-amounts';

/** Hosts of one map. */
const MAP_HOSTS = 100_000;

/** The members that colour the cell of a host, as JSON text; `at` is the position of the host. */
export type CellValue = (host: CloudHost, at: number) => string;

const PRECISION = 10_000;

const shareMember = (share: number | null): string =>
  `"share":${share === null ? 'null' : Math.round(share * PRECISION) / PRECISION}`;

export const useOf =
  (resourceClass: string): CellValue =>
  ({ tree }) => {
    const sum = classSum(tree.providers, resourceClass);
    return shareMember(sum === undefined ? null : shareUsed(sum));
  };

export const hasTrait =
  (trait: string): CellValue =>
  ({ tree }) =>
    `"has":${traitsOf(tree).has(trait)}`;

/** Of the host's capacity; hosts that were not judged have null, like those without the class. */
export const strandedOf =
  (resourceClass: string, amounts: StrandedAmounts | null): CellValue =>
  ({ tree }) => {
    const found = amounts?.of(tree.root.id, resourceClass);
    const sum = found && classSum(tree.providers, resourceClass);
    return shareMember(
      found === undefined || sum === undefined || sum.capacity <= 0 ? null : found.amount / sum.capacity,
    );
  };

/** Reasons of one map, each once, with the cells that refer to them. */
export class FlavorCells {
  private readonly places = new Map<string, number>();
  readonly reasons: { readonly kind: string; readonly name: string; readonly sentence: string }[] = [];

  constructor(private readonly against: readonly (UnfitReason | null)[]) {}

  readonly valueOf: CellValue = (_, at) => {
    const reason = this.against[at];
    return reason === null || reason === undefined ? '"fits":true' : `"fits":false,"reason":${this.placeOf(reason)}`;
  };

  private placeOf(reason: UnfitReason): number {
    const { kind, name } = reason;
    const key = `${kind} ${name}`;
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.reasons.push({ kind, name, sentence: kind === 'status' ? name : hostSentence(reason) }) - 1;
      this.places.set(key, place);
    }
    return place;
  }
}

/** Written as text: to build 10 000 objects takes longer than to send them. */
export function cloudMapBody(
  { atMs, hosts, hostAggregates }: Pick<Cloud, 'atMs' | 'hosts' | 'hostAggregates'>,
  /** Null: a cell has its status alone. */
  valueOf: CellValue | null,
  /** `reasons`: filled while the cells are written. `stranded`: the age of stranded amounts. */
  legend: { readonly reasons: FlavorCells['reasons']; readonly stranded: object | null },
): LongBody {
  const aggregateAt = new Map(hostAggregates.map(({ uuid }, at) => [uuid, at]));
  /** Zone, aggregates and status as text, by the list of host aggregates and the status, which many hosts share. */
  const stands = new Map<object, Map<HostStatus, string>>();
  const standsOf = ({ zone, known, status }: CloudHost): string => {
    let byStatus = stands.get(known.aggregates);
    if (byStatus === undefined) stands.set(known.aggregates, (byStatus = new Map<HostStatus, string>()));
    let text = byStatus.get(status);
    if (text === undefined) {
      const places = known.aggregates.flatMap(({ uuid }) => aggregateAt.get(uuid) ?? []);
      text = `"zone":${JSON.stringify(zone)},"host_aggregates":[${places.join()}],"status":"${status}"`;
      byStatus.set(status, text);
    }
    return text;
  };
  const present = (host: CloudHost, at: number): string => {
    const { uuid, name } = host.tree.root;
    const value = valueOf === null ? '' : `,${valueOf(host, at)}`;
    return `{"uuid":"${uuid}","name":${JSON.stringify(name)},${standsOf(host)}${value}}`;
  };
  const aggregates = hostAggregates.map(({ uuid, name }) => ({ uuid, name }));
  const last = { host_aggregates: aggregates, ...legend, truncated: hosts.length > MAP_HOSTS };
  return bodyWithList({ at: presentTime(atMs) }, 'hosts', hosts.slice(0, MAP_HOSTS), present, () => last);
}
