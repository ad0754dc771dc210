// Presents the details of one host.
import type { InstanceRecord } from '../../compute/instances/instance.entity';
import { presentTime } from '../../compute/registry-page';
import { presentServiceState } from '../../compute/services/services.presenter';
import type { TreeConsumer } from '../../placement/allocations/tree-allocations.loader';
import type { Inventory, Provider, ProviderGraph, Tree } from '../../placement/candidate-search';
import {
  byName,
  COUNT,
  GENERATION,
  INTEGER,
  listOf,
  NUMBER,
  oneOf,
  orNull,
  TEXT,
  TIME,
  UUID,
} from '../../platform/http/answer-schemas';
import type { Members } from '../../platform/http/shown';
import { presenterOf, schemasOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { classSums, freeOf } from '../../scheduler/cloud/tree-sums';
import { OUTCOME } from '../../scheduler/decisions/decision.responses';
import type { HostReport, ReportedInstance } from '../../scheduling-rules/host-state/host-facts';
import type { InstanceCounts } from '../cloud/instance-counts';
import type { MentioningDecision } from './decision-mentions';
import { VERDICTS } from './decision-mentions';
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
    const generation = generations.get(provider.id) ?? null;
    const consumers = allocations.counts.get(provider.id) ?? 0;
    const node = { ...presentNode({ ...provider, generation, consumers }), children: [] };
    shown.set(provider.id, node);
    if (provider.parentId !== null) shown.get(provider.parentId)?.children.push(node);
  }
  return { tree: shown.get(tree.root.id), tree_truncated: shown.size < nodes.length };
}

const NODE_CLASS: Members<Inventory> = {
  total: [COUNT, ({ total }) => total],
  reserved: [COUNT, ({ reserved }) => reserved],
  capacity: [INTEGER, ({ capacity }) => capacity],
  used: [COUNT, ({ used }) => used],
  free: [COUNT, freeOf],
  min_unit: [COUNT, ({ minUnit }) => minUnit],
  max_unit: [COUNT, ({ maxUnit }) => maxUnit],
  step_size: [COUNT, ({ stepSize }) => stepSize],
  allocation_ratio: [NUMBER, ({ allocationRatio }) => allocationRatio],
};
const presentClass = presenterOf(NODE_CLASS);

interface ShownProvider extends Provider {
  readonly generation: number | null;
  readonly consumers: number;
}

const NODE_MEMBERS: Members<ShownProvider> = {
  uuid: [UUID, ({ uuid }) => uuid],
  name: [TEXT, ({ name }) => name],
  generation: [orNull(GENERATION), ({ generation }) => generation],
  parent_uuid: [orNull(UUID), ({ parentUuid }) => parentUuid],
  traits: [listOf(TEXT), ({ traits }) => [...traits]],
  aggregates: [listOf(UUID), ({ aggregates }) => aggregates],
  resource_classes: [
    byName(named('ReportedInventory', closed(schemasOf(NODE_CLASS)))),
    ({ inventories }) => Object.fromEntries(inventories.map((each) => [each.resourceClass, presentClass(each)])),
  ],
  consumers: [COUNT, ({ consumers }) => consumers],
};
const presentNode = presenterOf(NODE_MEMBERS);

export const NODE = named(
  'ReportedProvider',
  closed({ ...schemasOf(NODE_MEMBERS), children: listOf({ $ref: '#/components/schemas/ReportedProvider' }) }),
);

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

export const presentConsumer = (
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

const presentInstance = ({ name, flavor, image, request, groupUuid, requestId }: InstanceRecord): object => ({
  name,
  flavor: textIn(flavor, 'name'),
  image: textIn(image, 'name') ?? textIn(image, 'id'),
  availability_zone: textIn(request, 'availability_zone'),
  server_group: groupUuid,
  decision: requestId,
});

/** An instance that only the report of the host knows. */
const presentListed = ({ flavor }: ReportedInstance): object => ({
  name: null,
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

const MENTION_MEMBERS: Members<MentioningDecision> = {
  request_id: [TEXT, ({ decision }) => decision.requestId],
  at: [TIME, ({ decision }) => presentTime(decision.atMs)],
  outcome: [OUTCOME, ({ decision }) => decision.outcome],
  project_id: [orNull(TEXT), ({ decision }) => decision.projectId],
  flavor: [orNull(TEXT), ({ decision }) => decision.flavor],
  num_instances: [COUNT, ({ decision }) => decision.numInstances],
  instance: [orNull(TEXT), ({ decision }) => decision.instance],
  instance_name: [orNull(TEXT), ({ decision }) => decision.instanceName],
  verdict: [oneOf(...VERDICTS), ({ verdict }) => verdict],
  by: [orNull(TEXT), ({ by }) => by],
  code: [orNull(TEXT), ({ code }) => code],
  message: [orNull(TEXT), ({ message }) => message],
};
const presentMention = presenterOf(MENTION_MEMBERS);

export const MENTION = named('ReportedDecision', closed(schemasOf(MENTION_MEMBERS)));
