// All hosts of the cloud as short as they can be said, for a picture of them: names of what they share stand once.
import type { Provider } from '../../candidate-search';
import { REPORT_LIMITS } from '../../config/limits';
import { presentTime } from '../../compute/registry-page';
import type { Walk } from '../../domain/walk';
import type { LongBody } from '../../http/body-bytes';
import { HOST_STATUSES } from '../cloud/host-status';
import { BoundedMap } from '../../database/bounded-map';
import type { HostStatus } from '../cloud/host-status';
import { KeptWhileUsed } from '../cloud/kept-while-used';
import type { CloudHost } from '../cloud/cloud-host';
import type { Cloud } from '../cloud/reported-cloud';
import { sumsOf } from '../cloud/tree-sums';
import { shareUsed } from '../hosts/host-order';

/** What the cell of a host is coloured by, as JSON. */
type CellValue = (host: CloudHost) => string;

/** The same of all hosts, by position. */
export type CellValues = readonly string[];

/** Values of all cells, worked out anew for hosts that are others than when the same was asked before. */
export class KeptCellValues {
  private readonly kept = new KeptWhileUsed<BoundedMap<string, ValuesOfHosts>>(REPORT_LIMITS.readModelIdleMs);

  /** `what` names the value. */
  *of(what: string, hosts: Cloud['hosts'], valueOf: CellValue): Walk<CellValues> {
    const kept = this.kept.get() ?? new BoundedMap<string, ValuesOfHosts>(REPORT_LIMITS.mapValuesKept);
    this.kept.set(kept);
    const before = kept.get(what);
    const values: string[] = [];
    for (let at = 0; at < hosts.length; at += 1) {
      if (at % CELLS_PER_STEP === CELLS_PER_STEP - 1) yield;
      const host = hosts[at] as CloudHost;
      const known = before?.hosts[at] === host ? before.values[at] : undefined;
      values.push(known ?? valueOf(host));
    }
    kept.set(what, { hosts, values });
    return values;
  }
}

interface ValuesOfHosts {
  readonly hosts: Cloud['hosts'];
  readonly values: CellValues;
}

/** Cells written between two chances of others. */
const CELLS_PER_STEP = 500;
/** Of a cell without the name, about, and of what else is told once of each aggregate. */
const CELL_BYTES = 64;
const AGGREGATE_BYTES = 64;

const PRECISION = 10_000;

/** Shares up to 1 as text: to write a fraction takes as long as all the rest of a cell. */
const shareTexts: string[] = [];

function shareText(share: number): string {
  const parts = Math.round(share * PRECISION);
  return parts > PRECISION ? String(parts / PRECISION) : (shareTexts[parts] ??= String(parts / PRECISION));
}

export const useOf =
  (resourceClass: string): CellValue =>
  ({ tree }) => {
    const sum = sumsOf(tree).classes.get(resourceClass);
    const share = sum === undefined ? null : shareUsed(sum);
    return share === null ? 'null' : shareText(share);
  };

export const hasTrait =
  (trait: string): CellValue =>
  ({ tree }) =>
    sumsOf(tree).traits.has(trait) ? '1' : '0';

/** Written as text: ten thousand lists of six values each take longer to make than to send. */
export class CloudMapBody implements LongBody {
  readonly isAscii = false;

  constructor(
    private readonly cloud: Pick<Cloud, 'atMs' | 'hosts' | 'hostAggregates'>,
    /** Null: a cell has its status alone. */
    private readonly values: CellValues | null,
    private readonly most: number = REPORT_LIMITS.mapHosts,
  ) {}

  size(): number {
    const { hosts, hostAggregates } = this.cloud;
    const nameBytes = hosts[0]?.tree.root.name.length ?? 0;
    return Math.min(hosts.length, this.most) * (CELL_BYTES + nameBytes) + hostAggregates.length * AGGREGATE_BYTES;
  }

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
      yield at === 0 ? '[' : ',[';
      yield nameText(host);
      yield standsOf(host);
      yield this.values?.[at] ?? 'null';
      yield ']';
    }
    yield ']';
    const aggregates = hostAggregates.map(({ uuid, name }) => ({ uuid, name }));
    const rest = { zones, host_aggregates: aggregates, statuses: HOST_STATUSES, truncated: hosts.length > this.most };
    yield `,${JSON.stringify(rest).slice(1)}`;
  }
}

const names = new WeakMap<Provider, string>();

/** Uuid and name of the root. */
function nameText({ tree: { root } }: CloudHost): string {
  let text = names.get(root);
  if (text === undefined) names.set(root, (text = `"${root.uuid}",${JSON.stringify(root.name)},`));
  return text;
}
