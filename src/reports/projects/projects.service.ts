// Use by project, with its share of the cloud. The database sums the allocations on request.
import { Inject, Injectable } from '@nestjs/common';
import { InstancesService } from '../../compute/instances/instances.service';
import { notFound } from '../../compute/registry-refusals';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import { treeConsumerOf } from '../../placement/allocations/tree-allocations.loader';
import { UsagesService } from '../../placement/usages/usages.service';
import { Database } from '../../platform/database/database';
import type { Caller } from '../../platform/event-loop/caller';
import { compareText } from '../../platform/values/text-order';
import { CloudReader } from '../../scheduler/cloud/cloud-reader';
import { sumsByGroup } from '../../scheduler/cloud/group-sums';
import type { ReportedHosts } from '../../scheduler/ports';
import { REPORTED_HOSTS } from '../../scheduler/ports';
import { KnownNames } from '../cloud/known-names';
import { presentConsumer } from '../hosts/host-detail.presenter';
import { shareUsed } from '../hosts/host-order';

/** Consumers shown of one project. */
const CONSUMERS_SHOWN = 100;

@Injectable()
export class ProjectsService {
  constructor(
    private readonly db: Database,
    private readonly cloud: CloudReader,
    private readonly names: KnownNames,
    private readonly usages: UsagesService,
    private readonly allocations: AllocationsService,
    private readonly instances: InstancesService,
    @Inject(REPORTED_HOSTS) private readonly hosts: ReportedHosts,
  ) {}

  /**
   * Projects with allocations: the largest use of the class `sort` first; without it, the largest share of any class.
   * Throws InvalidInput for an unknown class, and CallerGone.
   */
  async list(sort: string | undefined, caller: Caller) {
    const { graph, hosts } = await this.cloud.current(caller);
    if (sort !== undefined) await this.names.checkClasses(graph, 'sort', [sort]);
    const total = (await sumsByGroup(hosts, 'total', undefined, caller)).get(null)?.classes;
    const projects = Array.from(await this.usages.byProject(), ([id, sums]) => {
      const { instances = 0, ...classes } = Object.fromEntries(sums);
      const uses = Object.entries(classes).map(([name, used]) => {
        const capacity = total?.get(name)?.capacity ?? 0;
        return [name, { used, capacity, share: shareUsed({ used, capacity }) ?? 0 }] as const;
      });
      uses.sort(([, a], [, b]) => b.share - a.share);
      const rank = (sort === undefined ? uses[0]?.[1].share : sums.get(sort)) ?? 0;
      return { rank, project: { project_id: id, instances, resource_classes: Object.fromEntries(uses) } };
    });
    projects.sort((a, b) => b.rank - a.rank || compareText(a.project.project_id, b.project.project_id));
    return projects.map(({ project }) => project);
  }

  /** The project with its largest consumers. Throws not_found, InvalidInput for an unknown class, and CallerGone. */
  async get(id: string, sort: string | undefined, caller: Caller): Promise<object> {
    const project = (await this.list(sort, caller)).find(({ project_id: each }) => each === id);
    if (project === undefined) throw notFound(`project '${id}' with allocations`);
    const resourceClass = sort ?? Object.keys(project.resource_classes)[0] ?? '';
    const largest = await this.usages.largestConsumers(id, resourceClass, CONSUMERS_SHOWN + 1);
    const uuids = largest.slice(0, CONSUMERS_SHOWN);
    const consumers = [...(await this.allocations.wholeConsumers(uuids))];
    consumers.sort((a, b) => uuids.indexOf(a.uuid) - uuids.indexOf(b.uuid));
    const { roots, records } = await this.db.read(async (sql) => ({
      roots: await this.allocations.rootsOfConsumers(sql, uuids),
      records: await this.instances.find(sql, uuids),
    }));
    const shown = consumers.map((consumer) => {
      const on = roots.get(consumer.uuid) ?? [];
      const listed = on.flatMap((root) => this.hosts.known(root).reported?.host.report.instances ?? []);
      const found = { record: records.get(consumer.uuid), listed: listed.find(({ uuid }) => uuid === consumer.uuid) };
      return { ...presentConsumer({ ...treeConsumerOf(consumer), ...found }), hosts: on };
    });
    const isCut = largest.length > CONSUMERS_SHOWN;
    return { ...project, sorted_by: resourceClass, consumers: shown, consumers_truncated: isCut };
  }
}
