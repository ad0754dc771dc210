// A host as one row of a table: what it is called, where it stands, and what it has of each class.
import { presentTime } from '../../compute/registry-page';
import type { InstanceCounts } from '../cloud/instance-counts';
import type { CloudHost } from '../cloud/reported-cloud';
import { sumsOf } from '../cloud/tree-sums';
import type { ClassSum } from '../cloud/tree-sums';

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
