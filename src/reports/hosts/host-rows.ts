// A host as one row of a table: names, location, status, and the sums of each resource class.
import { presentTime } from '../../compute/registry-page';
import type { LongBody } from '../../platform/http/body-bytes';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import { classSums, traitsOf } from '../../scheduler/cloud/tree-sums';
import type { InstanceCounts } from '../cloud/instance-counts';
import { strandedSentence } from '../stranded/bottleneck';
import type { HostStranded } from '../stranded/host-findings';
import type { StrandedAmounts } from '../stranded/stranded-amounts';

export interface HostPage {
  readonly atMs: number;
  /** All that match. */
  readonly count: number;
  readonly hosts: readonly CloudHost[];
  /** Null: not asked for. */
  readonly stranded: StrandedAmounts | null;
  readonly next: string | null;
}

export function presentRow(host: CloudHost, counts: InstanceCounts, amounts: StrandedAmounts | null = null): object {
  const { tree, known, zone, status, statusReason } = host;
  const { root, providers, aggregates } = tree;
  return {
    uuid: root.uuid,
    name: root.name,
    host: known.reported?.service.host ?? null,
    node: known.reported?.host.node ?? null,
    availability_zone: zone,
    host_aggregates: known.aggregates.map(({ uuid, name }) => ({ uuid, name })),
    placement_aggregates: aggregates,
    traits: traitsOf(tree).size,
    providers: providers.length,
    instances: counts.of(host),
    status,
    status_reason: statusReason,
    last_seen_up: presentTime(known.service?.lastSeenUpMs ?? null),
    resource_classes: Object.fromEntries(classSums(providers)),
    stranded: presentStranded(amounts?.on(root.id)),
  };
}

function presentStranded(found: readonly HostStranded[] | undefined): object | null {
  if (found === undefined) return null;
  const held = found.filter(({ amount }) => amount > 0);
  return Object.fromEntries(
    held.map(({ resourceClass, amount, isExact, lacks }) => {
      const because = lacks && strandedSentence(resourceClass, lacks, null);
      return [resourceClass, { amount, at_most: !isExact, because }];
    }),
  );
}

/** A page of the list. */
export class HostPageBody implements LongBody {
  constructor(
    private readonly page: HostPage,
    private readonly counts: InstanceCounts,
  ) {}

  *pieces(): Iterable<string> {
    const { atMs, count, hosts, stranded, next } = this.page;
    yield `{"at":${JSON.stringify(presentTime(atMs))},"count":${count},"hosts":[`;
    for (const [at, host] of hosts.entries()) {
      if (at > 0) yield ',';
      yield JSON.stringify(presentRow(host, this.counts, stranded));
    }
    const age = JSON.stringify(stranded?.present(atMs) ?? null);
    yield `],"stranded":${age},"next_marker":${JSON.stringify(next)}}`;
  }
}
