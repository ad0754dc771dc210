// Reads the cloud into a snapshot for a planning thread.
import { Inject, Injectable, Optional } from '@nestjs/common';
import { InstancesService } from '../../compute/instances/instances.service';
import { RegistriesConfig } from '../../compute/registries.config';
import { allOf, readOn } from '../../compute/registry-page';
import { invalidField } from '../../compute/registry-refusals';
import { ServerGroupsService } from '../../compute/server-groups/server-groups.service';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import { chunks } from '../../platform/database/sql';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { allocationsOf } from '../adapters/local-consumers';
import type { HostSourceOptions } from '../adapters/resident-host-source';
import { HOST_SOURCE_OPTIONS } from '../adapters/resident-host-source';
import { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import type { ConsumerStore, ExternalHostFacts, HostSource, ReportedHosts, SchedulerCaller } from '../ports';
import { EXTERNAL_HOST_FACTS, HOST_SOURCE, REMOTE_CONSUMERS, REPORTED_HOSTS } from '../ports';
import type { CloudSnapshot, SnapshotConsumer } from './cloud-snapshot';
import { serialized } from './cloud-snapshot';

/** Bounds of a planned cloud: its thread has a limited memory. */
const INSTANCES_PLANNED = 50_000;
/** Read at once. */
const CONSUMERS_READ = 200;
const HOSTS_READ = 500;

@Injectable()
export class SnapshotReader {
  constructor(
    private readonly graphs: GraphSource,
    private readonly allocations: AllocationsService,
    private readonly instances: InstancesService,
    private readonly groups: ServerGroupsService,
    @Inject(HOST_SOURCE) private readonly hosts: HostSource,
    @Inject(REPORTED_HOSTS) private readonly reported: ReportedHosts,
    private readonly pipeline: SchedulerPipeline,
    @Inject(HOST_SOURCE_OPTIONS) private readonly options: HostSourceOptions,
    private readonly registries: RegistriesConfig,
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
    const providers = graph.rootIds.flatMap((id) => graph.findTree(id)?.providers ?? []);
    const roots = providers.filter(({ parentId }) => parentId === null);
    // Reads the placements that the directory does not have yet.
    for (const some of chunks(roots, HOSTS_READ))
      await this.hosts.states(new Map(some.map(({ uuid }) => [uuid, []])), { nowMs, novaCompat, caller });
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const { services, aggregates } = this.reported.facts();
    const groups = await allOf((page) => this.groups.list({}, page));
    const facts = { providers, services: [...services], aggregates: [...aggregates], groups };
    await tasks.run(serialized(facts, parts), caller);
    await this.consumers(parts, caller);
    const settings = {
      nowMs,
      options: this.pipeline.options,
      hosts: this.options,
      serviceDownSeconds: this.registries.serviceDownSeconds,
      isExternal: this.external !== null,
    };
    return { settings, parts };
  }

  /** With the distinct requests of their records. */
  private async consumers(parts: Uint8Array<ArrayBuffer>[], caller: SchedulerCaller): Promise<void> {
    const requests = new Map<string, number>();
    const records = new Map<string, SnapshotConsumer['record']>();
    await this.instances.eachRecord(({ uuid, request, ...record }) => {
      const requestAt = requests.get(request) ?? requests.size;
      requests.set(request, requestAt);
      records.set(uuid, { ...record, requestAt });
    });
    await tasks.run(serialized({ requests: [...requests.keys()] }, parts), caller);
    const moved = await this.instances.movedInstances();
    const ids = await readOn(INSTANCES_PLANNED, 0, async (after = 0) => {
      const page = await this.allocations.consumersAfter(after, CONSUMERS_READ);
      const consumers = page.map(({ uuid, projectId, userId, consumerType, shares }) => ({
        uuid,
        projectId,
        userId,
        consumerType,
        shares: allocationsOf({ shares }),
        record: records.get(uuid) ?? null,
        movedInstance: moved.get(uuid) ?? null,
      }));
      await tasks.run(serialized({ consumers }, parts), caller);
      return { items: page.map(({ id }) => id), next: page.at(CONSUMERS_READ - 1)?.id ?? null };
    });
    if (ids.length > INSTANCES_PLANNED) {
      throw invalidField('goal', `cannot be planned, because the cloud has more than ${INSTANCES_PLANNED} consumers`);
    }
  }
}
