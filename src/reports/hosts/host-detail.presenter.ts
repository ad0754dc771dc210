// Presents the details of one host.
import type { InstanceRecord } from '../../compute/instances/instance.entity';
import { presentTime } from '../../compute/registry-page';
import { presentServiceState } from '../../compute/services/services.presenter';
import { SERVICE_STATE } from '../../compute/services/services.responses';
import type { TreeConsumer } from '../../placement/allocations/tree-allocations.loader';
import type { Inventory, Provider } from '../../placement/candidate-search';
import {
  byName,
  COUNT,
  FLAG,
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
import { documentOf, presenterOf, schemasOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { addTo } from '../../platform/values/lists-by-key';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import { classSums, freeOf } from '../../scheduler/cloud/tree-sums';
import { OUTCOME } from '../../scheduler/decisions/decision.responses';
import type { ReportedInstance } from '../../scheduling-rules/host-state/host-facts';
import type { InstanceCounts } from '../cloud/instance-counts';
import type { MentioningDecision } from './decision-mentions';
import { VERDICTS } from './decision-mentions';
import type { HostDetail } from './host-detail.service';
import { CLASS_SUM, HOST_ROW, presentRow } from './host-rows';

/** Providers shown of one tree, and levels shown. */
const TREE_PROVIDERS = 2_000;
const TREE_LEVELS = 50;

interface ShownNode {
  readonly children: object[];
}

interface ShownTree {
  readonly root: ShownNode | undefined;
  readonly isCut: boolean;
}

/** Without recursion: a chain of providers may be as long as a tree may be large. Parents come before their children. */
function presentTree({ host: { tree }, generations, allocations }: HostDetail): ShownTree {
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
  return { root: shown.get(tree.root.id), isCut: shown.size < nodes.length };
}

const NODE_CLASS = documentOf<Inventory>('ReportedInventory', {
  total: [COUNT, ({ total }) => total],
  reserved: [COUNT, ({ reserved }) => reserved],
  capacity: [INTEGER, ({ capacity }) => capacity],
  used: [COUNT, ({ used }) => used],
  free: [COUNT, freeOf],
  min_unit: [COUNT, ({ minUnit }) => minUnit],
  max_unit: [COUNT, ({ maxUnit }) => maxUnit],
  step_size: [COUNT, ({ stepSize }) => stepSize],
  allocation_ratio: [NUMBER, ({ allocationRatio }) => allocationRatio],
});

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
    byName(NODE_CLASS.schema),
    ({ inventories }) => Object.fromEntries(inventories.map((each) => [each.resourceClass, NODE_CLASS.present(each)])),
  ],
  consumers: [COUNT, ({ consumers }) => consumers],
};
const presentNode = presenterOf(NODE_MEMBERS);

const NODE = named(
  'ReportedProvider',
  closed({ ...schemasOf(NODE_MEMBERS), children: listOf({ $ref: '#/components/schemas/ReportedProvider' }) }),
);

/** Sharing providers of other trees that this one is connected to, with the aggregates by which it is. */
function presentShared({ graph, host: { tree } }: HostDetail): readonly object[] {
  const found = new Map<Provider, string[]>();
  for (const aggregate of tree.aggregates) {
    for (const provider of graph.sharingInAggregate(aggregate)) {
      if (provider.rootId !== tree.root.id) addTo(found, provider, aggregate);
    }
  }
  return [...found].slice(0, TREE_PROVIDERS).map(([provider, common]) => ({
    uuid: provider.uuid,
    name: provider.name,
    aggregates: common,
    resource_classes: Object.fromEntries(classSums([provider])),
  }));
}

/** A consumer with its instance: as Berth placed it, or as the report of the host lists it. */
interface ShownConsumer extends TreeConsumer {
  readonly record: InstanceRecord | undefined;
  readonly listed: ReportedInstance | undefined;
}

const INSTANCE = documentOf<ShownConsumer>('PlacedConsumer', {
  name: [orNull(TEXT), ({ record }) => record?.name ?? null],
  flavor: [orNull(TEXT), ({ record, listed }) => (record ? textIn(record.flavor, 'name') : (listed?.flavor ?? null))],
  image: [orNull(TEXT), ({ record }) => textIn(record?.image, 'name') ?? textIn(record?.image, 'id')],
  availability_zone: [orNull(TEXT), ({ record }) => textIn(record?.request, 'availability_zone')],
  server_group: [orNull(UUID), ({ record }) => record?.groupUuid ?? null],
  decision: [orNull(TEXT), ({ record }) => record?.requestId ?? null],
});

export const CONSUMER: Members<ShownConsumer> = {
  uuid: [UUID, ({ uuid }) => uuid],
  consumer_type: [orNull(TEXT), ({ consumerType }) => consumerType],
  project_id: [TEXT, ({ projectId }) => projectId],
  user_id: [TEXT, ({ userId }) => userId],
  generation: [GENERATION, ({ generation }) => generation],
  instance: [
    orNull(INSTANCE.schema),
    (consumer) => (consumer.record || consumer.listed ? INSTANCE.present(consumer) : null),
  ],
  allocations: [
    byName(byName(COUNT)),
    ({ allocations }) => Object.fromEntries(Array.from(allocations, ([uuid, of]) => [uuid, Object.fromEntries(of)])),
  ],
};
export const presentConsumer = presenterOf(CONSUMER);

/** Documents of a placement are stored as the client sent them. */
function textIn(document: unknown, name: string): string | null {
  if (typeof document !== 'object' || document === null) return null;
  const value = (document as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : null;
}

const MENTION = documentOf<MentioningDecision>('ReportedDecision', {
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
});

interface ShownDetail extends HostDetail {
  readonly counts: InstanceCounts;
  readonly tree: ShownTree;
}

const HYPERVISOR = closed({ type: orNull(TEXT), version: orNull(INTEGER), hostname: orNull(TEXT) });
const SHARING = closed({ uuid: UUID, name: TEXT, aggregates: listOf(UUID), resource_classes: byName(CLASS_SUM) });
const FLAVOR = closed({ id: TEXT, name: TEXT, fits: FLAG, hinders: listOf(TEXT) });

const DETAIL = documentOf<ShownDetail>('ReportedHost', {
  at: [TIME, ({ atMs }) => presentTime(atMs)],
  host: [HOST_ROW, ({ host, counts }) => presentRow(host, counts)],
  service: [
    orNull(named('ReportedService', closed(SERVICE_STATE))),
    ({ host: { known }, atMs, serviceDownSeconds: seconds }) =>
      known.service && presentServiceState(known.service, atMs, seconds),
  ],
  hypervisor: [orNull(named('ReportedHypervisor', HYPERVISOR)), ({ host }) => presentHypervisor(host)],
  tree: [NODE, ({ tree }) => tree.root],
  tree_truncated: [FLAG, ({ tree }) => tree.isCut],
  shared: [listOf(named('ReportedSharing', SHARING)), presentShared],
  consumers: [listOf(named('ReportedConsumer', closed(schemasOf(CONSUMER)))), presentConsumers],
  consumers_truncated: [FLAG, ({ allocations }) => allocations.isCut],
  decisions: [listOf(MENTION.schema), ({ decisions }) => decisions.map(MENTION.present)],
  flavors: [
    listOf(named('JudgedFlavor', FLAVOR)),
    ({ flavors }) =>
      flavors.map(({ flavor: { id, name }, hinders }) => ({ id, name, fits: hinders.length === 0, hinders })),
  ],
  flavors_truncated: [FLAG, ({ isFlavorsCut }) => isFlavorsCut],
});

export const HOST_DETAIL = DETAIL.schema;
export const presentHostDetail = (detail: HostDetail, counts: InstanceCounts): object =>
  DETAIL.present({ ...detail, counts, tree: presentTree(detail) });

function presentHypervisor({ known: { reported } }: CloudHost): object | null {
  if (reported === null) return null;
  const { hypervisorType: type, hypervisorVersion: version, hypervisorHostname: hostname } = reported.host.report;
  return { type, version, hostname };
}

function presentConsumers({ host, allocations, instances }: HostDetail): readonly object[] {
  const reported = host.known.reported?.host.report.instances ?? [];
  const listed = new Map(reported.map((instance) => [instance.uuid, instance]));
  return allocations.consumers.map((consumer) =>
    presentConsumer({ ...consumer, record: instances.get(consumer.uuid), listed: listed.get(consumer.uuid) }),
  );
}
