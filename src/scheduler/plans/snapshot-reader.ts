// Reads the cloud into a snapshot for a planning thread.
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { RecordTexts } from '../../compute/instances/instance-texts';
import { InstancesService } from '../../compute/instances/instances.service';
import type { RegistriesConfig } from '../../compute/registries.config';
import { REGISTRIES_CONFIG } from '../../compute/registries.config';
import { invalidField } from '../../compute/registry-refusals';
import { ServerGroupsService } from '../../compute/server-groups/server-groups.service';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import type { ProviderGraph } from '../../placement/candidate-search';
import { chunks } from '../../platform/database/sql';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { allocationsOf } from '../adapters/local-consumers';
import type { HostSourceOptions } from '../adapters/resident-host-source';
import { HOST_SOURCE_OPTIONS } from '../adapters/resident-host-source';
import type { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import { SCHEDULER_PIPELINE } from '../assemble/scheduler-pipeline';
import type { ConsumerStore, ExternalHostFacts, HostSource, ReportedHosts, SchedulerCaller } from '../ports';
import { EXTERNAL_HOST_FACTS, HOST_SOURCE, REMOTE_CONSUMERS, REPORTED_HOSTS } from '../ports';
import type { CloudSnapshot, SnapshotConsumer, SnapshotGroup, SnapshotProvider } from './cloud-snapshot';
import { serialized } from './cloud-snapshot';

/** Bounds of a planned cloud: its thread has a limited memory. */
const INSTANCES_PLANNED = 50_000;
/** Read at once. */
const CONSUMERS_READ = 200;
const GROUPS_READ = 200;
const HOSTS_READ = 500;

type Record = NonNullable<SnapshotConsumer['record']>;

@Injectable()
export class SnapshotReader {
  constructor(
    private readonly graphs: GraphSource,
    private readonly allocations: AllocationsService,
    private readonly instances: InstancesService,
    private readonly groups: ServerGroupsService,
    @Inject(HOST_SOURCE) private readonly hosts: HostSource,
    @Inject(REPORTED_HOSTS) private readonly reported: ReportedHosts,
    @Inject(SCHEDULER_PIPELINE) private readonly pipeline: SchedulerPipeline,
    @Inject(HOST_SOURCE_OPTIONS) private readonly options: HostSourceOptions,
    @Inject(REGISTRIES_CONFIG) private readonly registries: RegistriesConfig,
    @Optional() @Inject(EXTERNAL_HOST_FACTS) private readonly external: ExternalHostFacts | null = null,
    @Optional() @Inject(REMOTE_CONSUMERS) private readonly remote: ConsumerStore | null = null,
  ) {}

  /** Throws invalid_request for a cloud that cannot be planned. */
  async read(caller: SchedulerCaller): Promise<CloudSnapshot> {
    if (this.remote !== null) {
      throw invalidField('goal', 'cannot be planned, because the allocations are in a Placement service elsewhere');
    }
    await this.hosts.refresh(true);
    const graph = await this.graphs.current();
    const nowMs = Date.now();
    const { novaCompat } = this.pipeline.options;
    const roots = graph.rootIds.flatMap((id) => graph.findTree(id)?.root.uuid ?? []);
    // Reads the placements that the directory does not have yet.
    for (const some of chunks(roots, HOSTS_READ))
      await this.hosts.states(new Map(some.map((uuid) => [uuid, []])), { nowMs, novaCompat, caller });
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const { services, aggregates } = this.reported.facts();
    await tasks.run(serialized('providers', providersOf(graph), parts), caller);
    await tasks.run(serialized('services', [...services], parts), caller);
    await tasks.run(serialized('aggregates', [...aggregates], parts), caller);
    await tasks.run(serialized('groups', await this.allGroups(), parts), caller);
    const { records, requests } = await this.records();
    await tasks.run(serialized('requests', requests, parts), caller);
    await this.consumers(records, parts, caller);
    const settings = {
      nowMs,
      options: this.pipeline.options,
      hosts: this.options,
      serviceDownSeconds: this.registries.serviceDownSeconds,
      isExternal: this.external !== null,
    };
    return { settings, parts };
  }

  private async allGroups(): Promise<readonly SnapshotGroup[]> {
    const groups: SnapshotGroup[] = [];
    for (let marker: string | undefined; ;) {
      const page = await this.groups.list({}, { limit: GROUPS_READ, marker });
      for (const { uuid, name, policy, maxServerPerHost, members } of page.items)
        groups.push({ uuid, name, policy, maxServerPerHost, members });
      if (page.next === null) return groups;
      marker = page.next;
    }
  }

  private async records(): Promise<{
    readonly records: ReadonlyMap<string, Record>;
    readonly requests: readonly string[];
  }> {
    const positions = new Map<string, number>();
    const records = new Map<string, Record>();
    await this.instances.eachRecord(({ uuid, request, ...record }: RecordTexts) => {
      const requestAt = positions.get(request) ?? positions.size;
      positions.set(request, requestAt);
      records.set(uuid, { ...record, requestAt });
    });
    return { records, requests: [...positions.keys()] };
  }

  private async consumers(
    records: ReadonlyMap<string, Record>,
    parts: Uint8Array<ArrayBuffer>[],
    caller: SchedulerCaller,
  ): Promise<void> {
    const moved = await this.instances.movedInstances();
    let count = 0;
    for (let after = 0; ;) {
      const page = await this.allocations.consumersAfter(after, CONSUMERS_READ);
      count += page.length;
      if (count > INSTANCES_PLANNED) {
        throw invalidField('goal', `cannot be planned, because the cloud has more than ${INSTANCES_PLANNED} consumers`);
      }
      const consumers = page.map(({ uuid, projectId, userId, consumerType, shares }): SnapshotConsumer => ({
        uuid,
        projectId,
        userId,
        consumerType,
        shares: allocationsOf({ shares }),
        record: records.get(uuid) ?? null,
        movedInstance: moved.get(uuid) ?? null,
      }));
      await tasks.run(serialized('consumers', consumers, parts), caller);
      const last = page.at(-1);
      if (last === undefined || page.length < CONSUMERS_READ) return;
      after = last.id;
    }
  }
}

function* providersOf(graph: ProviderGraph): Generator<SnapshotProvider> {
  for (const rootId of graph.rootIds) {
    for (const provider of graph.findTree(rootId)?.providers ?? []) {
      const { id, uuid, name, parentId, wasReported, inventories, traits, aggregates } = provider;
      yield { id, uuid, name, parentId, rootId, wasReported, inventories, traits, aggregates };
    }
  }
}
