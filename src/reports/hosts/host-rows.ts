// A host as one row of a table: what it is called, where it stands, and what it has of each class. A page of rows is
// written as text, and the text of a row is kept for as long as the host is what it says.
import { presentTime } from '../../compute/registry-page';
import type { LongBody } from '../../http/body-bytes';
import type { InstanceCounts } from '../cloud/instance-counts';
import type { CloudHost } from '../cloud/cloud-host';
import { sumsOf } from '../cloud/tree-sums';
import type { ClassSum } from '../cloud/tree-sums';

export interface HostPage {
  readonly atMs: number;
  /** All that match. */
  readonly count: number;
  readonly hosts: readonly CloudHost[];
  readonly next: string | null;
}

/** As the answer has it. */
export const presentSums = (classes: ReadonlyMap<string, ClassSum>): Readonly<Record<string, ClassSum>> =>
  Object.fromEntries(classes);

export function presentRow(host: CloudHost, counts: InstanceCounts): object {
  const { tree, known, zone, status, statusReason } = host;
  const { root, providers, aggregates } = tree;
  const { classes, traits } = sumsOf(tree);
  return {
    uuid: root.uuid,
    name: root.name,
    host: known.reported?.service.host ?? null,
    node: known.reported?.host.node ?? null,
    availability_zone: zone,
    host_aggregates: known.aggregates.map(({ uuid, name }) => ({ uuid, name })),
    placement_aggregates: aggregates,
    traits: traits.size,
    providers: providers.length,
    instances: counts.of(host),
    status,
    status_reason: statusReason,
    last_seen_up: presentTime(known.service?.lastSeenUpMs ?? null),
    resource_classes: presentSums(classes),
  };
}

const written = new WeakMap<CloudHost, { readonly instances: number; readonly text: string }>();

function rowText(host: CloudHost, counts: InstanceCounts): string {
  const instances = counts.of(host);
  const known = written.get(host);
  if (known?.instances === instances) return known.text;
  const text = JSON.stringify(presentRow(host, counts));
  written.set(host, { instances, text });
  return text;
}

/** A page of the list. */
export class HostPageBody implements LongBody {
  readonly isAscii = false;

  constructor(
    private readonly page: HostPage,
    private readonly counts: InstanceCounts,
  ) {}

  size(): number {
    const [first] = this.page.hosts;
    return first === undefined ? 0 : this.page.hosts.length * rowText(first, this.counts).length;
  }

  *pieces(): Iterable<string> {
    const { atMs, count, hosts, next } = this.page;
    yield `{"at":${JSON.stringify(presentTime(atMs))},"count":${count},"hosts":[`;
    for (const [at, host] of hosts.entries()) {
      if (at > 0) yield ',';
      yield rowText(host, this.counts);
    }
    yield `],"next_marker":${JSON.stringify(next)}}`;
  }
}
