// Tries where the instances of some hosts would go if these hosts went: one simulation in which each placement finds the
// room that the ones before it left. Nothing is claimed or moved.
import { Inject, Injectable } from '@nestjs/common';
import type { InstanceRecord } from '../../compute/instances/instance.entity';
import { InstancesService } from '../../compute/instances/instances.service';
import { invalidField } from '../../compute/registry-refusals';
import { AllocationCandidatesService } from '../../placement/allocation-candidates/allocation-candidates.service';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import { addTo } from '../../platform/values/lists-by-key';
import { PlacementCandidateSource } from '../adapters/placement-candidate-source';
import { moveRequest } from '../after-decision/request-again';
import type { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import { SCHEDULER_PIPELINE } from '../assemble/scheduler-pipeline';
import type { HostSource, ReferenceSource, SchedulerCaller, SchedulerEnvironment } from '../ports';
import { HOST_SOURCE, REFERENCE_SOURCE, SCHEDULER_ENVIRONMENT } from '../ports';
import type { FlavorDto, SelectDestinationsDto } from '../request/request.schema';
import { SchedulerService } from '../scheduler.service';
import { CloudWithout } from './cloud-without';

/** Instances that one request tries. */
const INSTANCES_TRIED = 5_000;

/** Instances with equal requests. */
export interface TriedGroup {
  /** The request of a move, without instances. */
  readonly request: SelectDestinationsDto;
  readonly instances: readonly InstanceRecord[];
  /** The host of each instance that finds a place, in the order of the instances. */
  readonly hosts: readonly string[];
  /** Why the others find none; null: all find one. */
  readonly reason: string | null;
}

@Injectable()
export class WithoutHostsService {
  constructor(
    private readonly instances: InstancesService,
    private readonly graphs: GraphSource,
    private readonly searches: AllocationCandidatesService,
    @Inject(HOST_SOURCE) private readonly hosts: HostSource,
    @Inject(REFERENCE_SOURCE) private readonly references: ReferenceSource,
    @Inject(SCHEDULER_PIPELINE) private readonly pipeline: SchedulerPipeline,
    @Inject(SCHEDULER_ENVIRONMENT) private readonly env: SchedulerEnvironment,
  ) {}

  /** In the order of the trial, the largest instances first. Throws invalid_request for unknown hosts, and too many instances. */
  async try(names: readonly string[], caller: SchedulerCaller): Promise<readonly TriedGroup[]> {
    await this.hosts.refresh();
    const roots = names.flatMap((host, at) => {
      const nodes = this.hosts.targets({ host, node: null });
      if (nodes.length === 0) throw invalidField(`hosts.${at}`, `is '${host}', which is not a host`);
      return nodes.map(({ uuid }) => uuid);
    });
    const instances = await this.instances.onHosts(names, INSTANCES_TRIED + 1);
    if (instances.length > INSTANCES_TRIED) {
      throw invalidField('hosts', `have more than ${INSTANCES_TRIED} instances; try fewer hosts at once`);
    }
    const { hosts, references } = this;
    const packing = this.pipeline.options.packsNumaCells;
    const cloud = await CloudWithout.of(await this.graphs.current(), roots, { hosts, references, packing });
    const candidates = new PlacementCandidateSource(this.searches.on(cloud));
    const scheduler = new SchedulerService(this.pipeline, candidates, cloud, cloud, null, this.env);
    const groups: TriedGroup[] = [];
    for (const [request, members] of groupsOf(instances)) {
      groups.push(await placed({ scheduler, cloud, caller }, request, members));
    }
    return groups;
  }
}

interface Trial {
  readonly scheduler: SchedulerService;
  readonly cloud: CloudWithout;
  readonly caller: SchedulerCaller;
}

const MOVING = 'The instance is being moved already: confirm or revert that first.';

/** Places as many as find room, then asks again for the rest: a decision that placed some has no reason for the others. */
async function placed(
  { scheduler, cloud, caller }: Trial,
  request: SelectDestinationsDto,
  instances: readonly InstanceRecord[],
): Promise<TriedGroup> {
  const hosts: string[] = [];
  if (instances[0]?.state === 'moving') return { request, instances, hosts, reason: MOVING };
  while (hosts.length < instances.length) {
    const left = instances.slice(hosts.length).map(({ uuid }) => uuid);
    const { decision, placements, refusal } = await scheduler.decide({
      body: { ...request, instances: hosts.length === 0 ? left : left.slice(0, 1), min_count: 1 },
      requestId: caller.requestId,
      dryRun: true,
      explains: 'empty',
      seed: 0,
      caller,
    });
    if (refusal !== null) return { request, instances, hosts, reason: decision.summary.sentence };
    if (decision.request !== null) cloud.take(decision.request, placements);
    hosts.push(...placements.flatMap(({ selected }) => selected?.state.host ?? []));
  }
  return { request, instances, hosts, reason: null };
}

/** Grouped by equal requests for a move; the largest flavors first, by memory, then VCPUs, then disk. */
function groupsOf(instances: readonly InstanceRecord[]): Iterable<readonly [SelectDestinationsDto, InstanceRecord[]]> {
  const requests = new Map<string, SelectDestinationsDto>();
  const groups = new Map<SelectDestinationsDto, InstanceRecord[]>();
  const sorted = instances
    .map((instance) => ({ instance, size: sizeOf(instance) }))
    .sort((one, other) => larger(one.size, other.size) || (one.instance.uuid < other.instance.uuid ? -1 : 1));
  for (const { instance } of sorted) {
    const { instances: _self, ignore_hosts: _here, ...request } = moveRequest(instance, ANY_MOVE, false);
    const given = Object.entries(request).filter(([, value]) => value !== null);
    const key = JSON.stringify([instance.state === 'moving', given.sort(([a], [b]) => (a < b ? -1 : 1))]);
    const known = requests.get(key) ?? request;
    requests.set(key, known);
    addTo(groups, known, instance);
  }
  return groups;
}

const ANY_MOVE = { type: 'live_migrate', flavor: null, target: null, ignoreHosts: [] } as const;

function sizeOf({ flavor }: InstanceRecord): readonly number[] {
  const { memory_mb: memory, vcpus, root_gb: root = 0, ephemeral_gb: ephemeral = 0 } = flavor as FlavorDto;
  return [memory, vcpus, root + ephemeral];
}

const larger = (one: readonly number[], other: readonly number[]): number =>
  other.map((size, at) => size - (one[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
