// From a snapshot to the cloud of a planner, in the planning thread.
import type { Provider, ProviderGraph } from '../../placement/candidate-search';
import { buildGraph } from '../../placement/candidate-search';
import { addTo } from '../../platform/values/lists-by-key';
import { serverGroupAntiAffinityFilter } from '../../scheduling-rules/filters/server-group-anti-affinity.filter';
import { namedZone } from '../../scheduling-rules/host-state/host-state';
import { isHost } from '../../scheduling-rules/host-state/unreported-hosts';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import type { PlanHost } from '../../scheduling-rules/plans/plan-cloud';
import { SYSTEM_ENVIRONMENT } from '../adapters/system-environment';
import { assembleScheduler } from '../assemble/scheduler-pipeline';
import { isUsable, statusOf } from '../cloud/host-status';
import { RequestFixes } from '../decisions/request-fixes';
import type { CandidateSource } from '../ports';
import type { InstanceGroupDto } from '../request/request.schema';
import { SchedulerService } from '../scheduler.service';
import { GraphCandidates } from '../simulate/simulated-candidates';
import type { CloudSnapshot, SnapshotConsumer, SnapshotGroup, SnapshotSettings } from './cloud-snapshot';
import { rowsOf } from './cloud-snapshot';
import { factsOf } from './held';
import { distinctRequests, inlineGroupOf, keyOf, requestOfAllocations } from './plan-requests';
import type { CloudInstance } from './what-if-cloud';
import { WhatIfCloud } from './what-if-cloud';
import type { Locate } from './what-if-groups';
import { WhatIfGroups } from './what-if-groups';
import { WhatIfHosts } from './what-if-hosts';

export function cloudOf({ settings, parts }: CloudSnapshot, plugins: readonly SchedulerExtension[]): WhatIfCloud {
  const rows = rowsOf(parts);
  const graph = graphOf(rows.providers);
  const find = (uuid: string): Provider | undefined => graph.findProviderByUuid(uuid);
  const instancesAt = new Map<string, string[]>();
  let cloud: WhatIfCloud | null = null;
  const locate: Locate = (uuid) => cloud?.locate(uuid);
  const ports = new WhatIfHosts(graph, rows, settings, instancesAt, locate);
  const groups = new WhatIfGroups(rows.groups, locate);
  // The clock stands still: a plan holds for the moment of its snapshot.
  const env = { ...SYSTEM_ENVIRONMENT, now: () => settings.nowMs };
  const pipeline = assembleScheduler(
    {
      ...settings.options,
      verifySample: 0,
      maxPlacementResults: null,
      hostSubsetSize: 1,
      shuffleBestSameWeighedHosts: false,
    },
    plugins,
  );
  const closedRoots = new Set<string>();
  const hiddenRoots = new Set<string>();
  const candidates = new GraphCandidates(ports, closedRoots);
  const explained = new GraphCandidates(ports, hiddenRoots);
  const search: CandidateSource = { search: (request, bounds) => candidates.search(request, bounds) };
  const scheduler = new SchedulerService(pipeline, search, ports, groups, null, env);
  const explaining = new SchedulerService(pipeline, explained, ports.withoutChanges(), groups, null, env);
  const { hostsFromInventory } = settings.hosts;
  const roots = rows.providers.filter(
    (root) => root.parentId === null && isHost(root, ports.known(root).reported !== null, hostsFromInventory),
  );
  const hosts = roots.map((root) => planHostOf(root, ports, settings));
  const numbers = new Map(hosts.map(({ uuid }, at) => [uuid, at]));
  const known = { requests: distinctRequests(rows.requests), groups, find };
  const instances = rows.consumers.flatMap((consumer) => {
    const among = new Set(Object.keys(consumer.shares).map((uuid) => find(uuid)?.rootUuid ?? ''));
    const [at, ...others] = [...among].flatMap((root) => numbers.get(root) ?? []);
    const host = hosts[at ?? -1];
    if (at === undefined || host === undefined) return [];
    addTo(instancesAt, host.uuid, consumer.uuid);
    return instanceOf(consumer, { at, host, isElsewhere: others.length > 0 }, known);
  });
  cloud = new WhatIfCloud({
    hosts,
    instances,
    ports,
    groups,
    filtersGroups:
      plugins.length === 0 && pipeline.parts.filters.some(({ part }) => part === serverGroupAntiAffinityFilter),
    settings,
    closedRoots,
    hiddenRoots,
    scheduler,
    explaining,
    fixes: new RequestFixes(explained, explaining, ports),
  });
  return cloud;
}

function graphOf(providers: readonly Provider[]): ProviderGraph {
  return buildGraph({
    providers,
    inventories: providers.flatMap(({ inventories }) => inventories),
    traits: providers.flatMap(({ id, traits }) => Array.from(traits, (trait) => ({ providerId: id, trait }))),
    aggregates: providers.flatMap(({ id, aggregates }) =>
      aggregates.map((aggregate) => ({ providerId: id, aggregate })),
    ),
  });
}

function planHostOf(root: Provider, ports: WhatIfHosts, settings: SnapshotSettings): PlanHost {
  const known = ports.known(root);
  const { reported, aggregates } = known;
  const { status, reason } = statusOf(root, known, settings);
  return {
    uuid: root.uuid,
    host: reported?.service.host ?? root.name,
    node: reported?.host.node ?? root.name,
    zone: namedZone(aggregates) ?? null,
    closed: isUsable(status) ? null : reason,
  };
}

/** The host of a consumer. */
interface Place {
  readonly at: number;
  readonly host: PlanHost;
  /** It has allocations on further hosts. */
  readonly isElsewhere: boolean;
}

interface Known {
  readonly requests: ReturnType<typeof distinctRequests>;
  readonly groups: WhatIfGroups;
  readonly find: (uuid: string) => Provider | undefined;
}

/** Members on a host at most; null: no bound. */
function mostOf(group: SnapshotGroup | InstanceGroupDto | null | undefined): number | null {
  if (group?.policy !== 'anti-affinity') return null;
  return ('maxServerPerHost' in group ? group.maxServerPerHost : group.rules?.max_server_per_host) ?? 1;
}

function instanceOf(
  consumer: SnapshotConsumer,
  { at, host, isElsewhere }: Place,
  { requests, groups, find }: Known,
): CloudInstance {
  const { uuid, projectId, record, shares } = consumer;
  const groupUuid = record?.groupUuid ?? groups.groupOf(uuid);
  const known = record === null ? undefined : requests[record.requestAt];
  const request = known?.request ?? requestOfAllocations(consumer, host.zone, groupUuid, find);
  const group = (groupUuid === null ? undefined : groups.find(groupUuid)) ?? inlineGroupOf(request);
  const facts = factsOf(consumer, request, host, {
    numaTopology: documentOf(record?.numaTopology),
    pciRequests: documentOf(record?.pciRequests),
    placedAtMs: record?.placedAtMs ?? 0,
  });
  return {
    shown: {
      uuid,
      name: record?.name ?? null,
      projectId,
      requestKey: known?.key ?? keyOf(request),
      groupUuid,
      groupName: group?.name ?? null,
      groupPolicy: group?.policy ?? null,
      groupMost: mostOf(group),
      hasRequest: record !== null,
      fixed: fixedBy(consumer, isElsewhere),
    },
    request,
    held: { host: at, shares, facts },
  };
}

const documentOf = (text: string | null | undefined): unknown =>
  text === null || text === undefined ? null : (JSON.parse(text) as unknown);

function fixedBy({ record, movedInstance, consumerType }: SnapshotConsumer, isElsewhere: boolean): string | null {
  if (movedInstance !== null)
    return `These are the old allocations of instance ${movedInstance}, which is being moved: confirm or revert that first.`;
  if (record?.state === 'moving') return 'The instance is being moved already: confirm or revert that first.';
  if (isElsewhere) return 'The consumer has allocations on several hosts: a move or a resize has not ended.';
  if (consumerType === null || consumerType === 'INSTANCE' || consumerType === 'unknown') return null;
  return `The consumer is of type ${consumerType}, not an instance.`;
}
