// Placed instances with their places, for a list. The zone comes from memory: it is that of the host now.
import { Inject, Injectable } from '@nestjs/common';
import type { FoundInstance, InstanceSearch } from '../../compute/instances/instance-search';
import { InstancesService } from '../../compute/instances/instances.service';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import { queryFault } from '../../platform/values/field-fault';
import type { Uuid } from '../../platform/values/uuid';
import { FlavorRequests } from '../../scheduler/decide/flavor-requests';
import type { ReportedHosts } from '../../scheduler/ports';
import { REPORTED_HOSTS } from '../../scheduler/ports';
import { namedZone } from '../../scheduling-rules/host-state/host-state';

interface InstanceListQuery extends Omit<InstanceSearch, 'flavorId'> {
  /** Name or id of a registered flavor. */
  readonly flavor: string | undefined;
  readonly withCount: boolean;
  readonly limit: number;
  readonly marker: Uuid | undefined;
}

export interface ListedInstance extends FoundInstance {
  /** Null: the host is in no zone, or gone. */
  readonly zone: string | null;
}

@Injectable()
export class InstanceListService {
  constructor(
    private readonly instances: InstancesService,
    private readonly flavors: FlavorRequests,
    private readonly graphs: GraphSource,
    @Inject(REPORTED_HOSTS) private readonly hosts: ReportedHosts,
  ) {}

  /** Throws InvalidInput for an unknown flavor or marker. */
  async page({ flavor, withCount, limit, marker, ...search }: InstanceListQuery): Promise<{
    readonly instances: readonly ListedInstance[];
    readonly count: number | null;
    readonly next: Uuid | null;
  }> {
    const flavorId = flavor === undefined ? undefined : await this.flavorIdOf(flavor);
    const found = await this.instances.search({ ...search, flavorId }, { limit, marker });
    const graph = await this.graphs.current();
    const zones = new Map<Uuid, string | null>();
    const zoneOf = (hostUuid: Uuid): string | null => {
      const known = zones.get(hostUuid);
      if (known !== undefined) return known;
      const root = graph.findProviderByUuid(hostUuid);
      const zone = root === undefined ? null : (namedZone(this.hosts.known(root).aggregates) ?? null);
      zones.set(hostUuid, zone);
      return zone;
    };
    return {
      instances: found.instances.map((instance) => ({ ...instance, zone: zoneOf(instance.hostUuid) })),
      count: withCount ? await this.instances.count({ ...search, flavorId }) : null,
      next: found.next,
    };
  }

  private async flavorIdOf(idOrName: string): Promise<string> {
    const found = await this.flavors.named(idOrName);
    if (found === undefined) throw queryFault('flavor', `names no flavor: '${idOrName}'`);
    return found.flavor.id;
  }
}
