// Presents the details of one host.
import type { InstanceRecord } from '../../compute/instances/instance.entity';
import { presentTime } from '../../compute/registry-page';
import { presentServiceState } from '../../compute/services/services.presenter';
import type { TreeConsumer } from '../../placement/allocations/tree-allocations.loader';
import type { Provider, ProviderGraph, Tree } from '../../placement/candidate-search';
import { classSums, freeOf } from '../../scheduler/cloud/tree-sums';
import type { HostReport, ReportedInstance } from '../../scheduling-rules/host-state/host-facts';
import type { InstanceCounts } from '../cloud/instance-counts';
import type { MentioningDecision } from './decision-mentions';
import type { HostDetail } from './host-detail.service';
import { presentRow } from './host-rows';

/** Providers shown of one tree, and levels shown. */
const TREE_PROVIDERS = 2_000;
const TREE_LEVELS = 50;

export function presentHostDetail(detail: HostDetail, counts: InstanceCounts): object {
  const { atMs, graph, host, allocations, instances, decisions, flavors } = detail;
  const { service } = host.known;
  const reported = host.known.reported?.host.report ?? null;
  const listed = new Map((reported?.instances ?? []).map((instance) => [instance.uuid, instance]));
  return {
    at: presentTime(atMs),
    host: presentRow(host, counts),
    service: service && presentServiceState(service, atMs, detail.serviceDownSeconds),
    hypervisor: reported && presentHypervisor(reported),
    ...presentTree(detail),
    shared: presentShared(graph, host.tree),
    consumers: allocations.consumers.map((consumer) =>
      presentConsumer(consumer, instances.get(consumer.uuid), listed.get(consumer.uuid)),
    ),
    consumers_truncated: allocations.isCut,
    decisions: decisions.map(presentMention),
    flavors: flavors.map(({ flavor: { id, name }, hinders }) => ({ id, name, fits: hinders.length === 0, hinders })),
    flavors_truncated: detail.isFlavorsCut,
  };
}

const presentHypervisor = ({ hypervisorType, hypervisorVersion, hypervisorHostname }: HostReport): object => ({
  type: hypervisorType,
  version: hypervisorVersion,
  hostname: hypervisorHostname,
});

interface ShownNode {
  readonly children: object[];
}

/** Without recursion: a chain of providers may be as long as a tree may be large. Parents come before their children. */
function presentTree({ host: { tree }, generations, allocations }: HostDetail): object {
  const shown = new Map<number, ShownNode>();
  const nodes = [...tree.providers].sort((a, b) => a.path.length - b.path.length || (a.name < b.name ? -1 : 1));
  for (const provider of nodes) {
    if (shown.size >= TREE_PROVIDERS || provider.path.length > TREE_LEVELS) break;
    const node = presentNode(provider, {
      generation: generations.get(provider.id) ?? null,
      consumers: allocations.counts.get(provider.id) ?? 0,
    });
    shown.set(provider.id, node);
    if (provider.parentId !== null) shown.get(provider.parentId)?.children.push(node);
  }
  return { tree: shown.get(tree.root.id), tree_truncated: shown.size < nodes.length };
}

const presentNode = (
  provider: Provider,
  { generation, consumers }: { readonly generation: number | null; readonly consumers: number },
): ShownNode & Readonly<Record<string, unknown>> => ({
  uuid: provider.uuid,
  name: provider.name,
  generation,
  parent_uuid: provider.parentUuid,
  traits: [...provider.traits],
  aggregates: provider.aggregates,
  resource_classes: Object.fromEntries(
    provider.inventories.map(({ resourceClass, total, reserved, capacity, used, ...inventory }) => [
      resourceClass,
      {
        total,
        reserved,
        capacity,
        used,
        free: freeOf({ capacity, used }),
        min_unit: inventory.minUnit,
        max_unit: inventory.maxUnit,
        step_size: inventory.stepSize,
        allocation_ratio: inventory.allocationRatio,
      },
    ]),
  ),
  consumers,
  children: [],
});

/** Sharing providers of other trees that this one is connected to, with the aggregates by which it is. */
function presentShared(graph: ProviderGraph, { root, aggregates }: Tree): readonly object[] {
  const found = new Map<Provider, string[]>();
  for (const aggregate of aggregates) {
    for (const provider of graph.sharingInAggregate(aggregate)) {
      if (provider.rootId === root.id) continue;
      const common = found.get(provider);
      if (common === undefined) found.set(provider, [aggregate]);
      else common.push(aggregate);
    }
  }
  return [...found].slice(0, TREE_PROVIDERS).map(([provider, common]) => ({
    uuid: provider.uuid,
    name: provider.name,
    aggregates: common,
    resource_classes: Object.fromEntries(classSums([provider])),
  }));
}

const presentConsumer = (
  { uuid, consumerType, projectId, userId, generation, allocations }: TreeConsumer,
  instance: InstanceRecord | undefined,
  listed: ReportedInstance | undefined,
): object => ({
  uuid,
  consumer_type: consumerType,
  project_id: projectId,
  user_id: userId,
  generation,
  instance: instance === undefined ? (listed ? presentListed(listed) : null) : presentInstance(instance),
  allocations: Object.fromEntries(
    [...allocations].map(([provider, classes]) => [provider, Object.fromEntries(classes) as object]),
  ),
});

const presentInstance = ({ flavor, image, request, groupUuid, requestId }: InstanceRecord): object => ({
  flavor: textIn(flavor, 'name'),
  image: textIn(image, 'name') ?? textIn(image, 'id'),
  availability_zone: textIn(request, 'availability_zone'),
  server_group: groupUuid,
  decision: requestId,
});

/** An instance that only the report of the host knows. */
const presentListed = ({ flavor }: ReportedInstance): object => ({
  flavor,
  image: null,
  availability_zone: null,
  server_group: null,
  decision: null,
});

/** Documents of a placement are stored as the client sent them. */
function textIn(document: unknown, name: string): string | null {
  if (typeof document !== 'object' || document === null) return null;
  const value = (document as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : null;
}

const presentMention = ({ decision, verdict, by, code, message }: MentioningDecision): object => ({
  request_id: decision.requestId,
  at: presentTime(decision.atMs),
  outcome: decision.outcome,
  verdict,
  by,
  code,
  message,
});
