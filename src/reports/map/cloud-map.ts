// All hosts of the cloud in a compact form, for a map: names of zones and host aggregates appear once.
import { presentTime } from '../../compute/registry-page';
import type { LongBody } from '../../platform/http/body-bytes';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { Cloud } from '../../scheduler/cloud/cloud-reader';
import type { HostStatus } from '../../scheduler/cloud/host-status';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import { classSum, traitsOf } from '../../scheduler/cloud/tree-sums';
import type { UnfitReason } from '../fit/flavor-fits';
import { shareUsed } from '../hosts/host-order';
import { hostSentence } from '../stranded/bottleneck';
import type { StrandedAmounts } from '../stranded/stranded-amounts';

/** Hosts of one map. */
const MAP_HOSTS = 100_000;

/** The value that colours the cell of a host, as JSON; `at` is the position of the host. */
export type CellValue = (host: CloudHost, at: number) => string;

const PRECISION = 10_000;

export const useOf =
  (resourceClass: string): CellValue =>
  ({ tree }) => {
    const sum = classSum(tree.providers, resourceClass);
    const share = sum === undefined ? null : shareUsed(sum);
    return share === null ? 'null' : String(Math.round(share * PRECISION) / PRECISION);
  };

export const hasTrait =
  (trait: string): CellValue =>
  ({ tree }) =>
    traitsOf(tree).has(trait) ? '1' : '0';

/** Of the host's capacity; hosts that were not judged have null, like those without the class. */
export const strandedOf =
  (resourceClass: string, amounts: StrandedAmounts | null): CellValue =>
  ({ tree }) => {
    const found = amounts?.of(tree.root.id, resourceClass);
    const sum = found && classSum(tree.providers, resourceClass);
    if (found === undefined || sum === undefined || sum.capacity <= 0) return 'null';
    return String(Math.round((found.amount / sum.capacity) * PRECISION) / PRECISION);
  };

/** Reasons of one map, each once, with the cells that refer to them. */
export class FlavorCells {
  private readonly places = new Map<string, number>();
  readonly reasons: { readonly kind: string; readonly name: string; readonly sentence: string }[] = [];

  constructor(private readonly against: readonly (UnfitReason | null)[]) {}

  /** 1: it fits. 0, -1, -2, …: it does not, for the reason at this position, counted from 0. */
  readonly valueOf: CellValue = (_, at) => {
    const reason = this.against[at];
    return reason === null || reason === undefined ? '1' : String(-this.placeOf(reason));
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

/** Explains the values of the cells. */
interface MapLegend {
  /** Filled while the cells are written. */
  readonly reasons?: FlavorCells['reasons'] | undefined;
  /** Age of stranded amounts. */
  readonly stranded?: object | undefined;
}

/** Written as text: to build 10 000 arrays of six values takes longer than to send them. */
export class CloudMapBody implements LongBody {
  constructor(
    private readonly cloud: Pick<Cloud, 'atMs' | 'hosts' | 'hostAggregates'>,
    /** Null: a cell has its status alone. */
    private readonly valueOf: CellValue | null,
    private readonly legend: MapLegend = {},
    private readonly most: number = MAP_HOSTS,
  ) {}

  *pieces(): Iterable<string> {
    const { atMs, hosts, hostAggregates } = this.cloud;
    const zones: (string | null)[] = [];
    const zoneAt = new Map<string | null, number>();
    const aggregateAt = new Map(hostAggregates.map(({ uuid }, at) => [uuid, at]));
    /** Zone, places and status as text, by the list of host aggregates and the status, which many hosts share. */
    const stands = new Map<object, Map<HostStatus, string>>();
    const standsOf = ({ zone, known, status }: CloudHost): string => {
      let byStatus = stands.get(known.aggregates);
      if (byStatus === undefined) stands.set(known.aggregates, (byStatus = new Map<HostStatus, string>()));
      let text = byStatus.get(status);
      if (text === undefined) {
        if (!zoneAt.has(zone)) zoneAt.set(zone, zones.push(zone) - 1);
        const places = known.aggregates.flatMap(({ uuid }) => aggregateAt.get(uuid) ?? []);
        text = `${zoneAt.get(zone)},[${places.join()}],${HOST_STATUSES.indexOf(status)},`;
        byStatus.set(status, text);
      }
      return text;
    };
    yield `{"at":${JSON.stringify(presentTime(atMs))},"hosts":[`;
    const count = Math.min(hosts.length, this.most);
    for (let at = 0; at < count; at += 1) {
      const host = hosts[at] as CloudHost;
      const { uuid, name } = host.tree.root;
      const value = this.valueOf?.(host, at) ?? 'null';
      yield `${at === 0 ? '' : ','}["${uuid}",${JSON.stringify(name)},${standsOf(host)}${value}]`;
    }
    yield ']';
    const aggregates = hostAggregates.map(({ uuid, name }) => ({ uuid, name }));
    const rest = {
      zones,
      host_aggregates: aggregates,
      statuses: HOST_STATUSES,
      reasons: this.legend.reasons ?? [],
      stranded: this.legend.stranded ?? null,
      truncated: hosts.length > this.most,
    };
    yield `,${JSON.stringify(rest).slice(1)}`;
  }
}
