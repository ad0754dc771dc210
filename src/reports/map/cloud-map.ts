// All hosts of the cloud as short as they can be said, for a picture of them: names of what they share stand once.
import { presentTime } from '../../compute/registry-page';
import type { LongBody } from '../../platform/http/body-bytes';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import type { HostStatus } from '../../scheduler/cloud/host-status';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { Cloud } from '../../scheduler/cloud/cloud-reader';
import { classSum, traitsOf } from '../../scheduler/cloud/tree-sums';
import { shareUsed } from '../hosts/host-order';

/** Hosts of one map. */
const MAP_HOSTS = 100_000;

/** What the cell of a host is coloured by, as JSON; `at` is the position of the host. */
export type CellValue = (host: CloudHost, at: number) => string;

/** Of a cell without the name, about, and of what else is told once of each aggregate. */
const CELL_BYTES = 64;
const AGGREGATE_BYTES = 64;

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

/** Written as text: ten thousand lists of six values each take longer to make than to send. */
export class CloudMapBody implements LongBody {
  readonly isAscii = false;

  constructor(
    private readonly cloud: Pick<Cloud, 'atMs' | 'hosts' | 'hostAggregates'>,
    /** Null: a cell has its status alone. */
    private readonly valueOf: CellValue | null,
    private readonly most: number = MAP_HOSTS,
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
      const { uuid, name } = host.tree.root;
      const value = this.valueOf?.(host, at) ?? 'null';
      yield `${at === 0 ? '' : ','}["${uuid}",${JSON.stringify(name)},${standsOf(host)}${value}]`;
    }
    yield ']';
    const aggregates = hostAggregates.map(({ uuid, name }) => ({ uuid, name }));
    const rest = { zones, host_aggregates: aggregates, statuses: HOST_STATUSES, truncated: hosts.length > this.most };
    yield `,${JSON.stringify(rest).slice(1)}`;
  }
}
