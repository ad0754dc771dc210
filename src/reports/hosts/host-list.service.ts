// The list of hosts: narrowed, put in order, and cut into pages.
import { Injectable } from '@nestjs/common';
import { unknownMarker } from '../../compute/registry-page';
import { firstAfter } from '../../platform/values/first-after';
import type { Caller } from '../../platform/event-loop/caller';
import { InstanceCounts } from '../cloud/instance-counts';
import { KnownNames } from '../cloud/known-names';
import { CloudReader } from '../../scheduler/cloud/cloud-reader';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { Cloud } from '../../scheduler/cloud/cloud-reader';
import { FlavorFits, hostsThatFit } from '../fit/flavor-fits';
import type { AskedFlavor } from '../fit/flavor-fits';
import { hostTest } from './host-filter';
import type { HostFilter } from './host-filter';
import { orderOf } from './host-order';
import type { HostOrder } from './host-order';
import type { HostPage } from './host-rows';

interface HostListQuery {
  readonly filter: HostFilter;
  readonly order: HostOrder;
  readonly limit: number;
  /** Uuid of the last root of the page before. */
  readonly marker: string | undefined;
}

@Injectable()
export class HostListService {
  constructor(
    private readonly cloud: CloudReader,
    private readonly counts: InstanceCounts,
    private readonly fits: FlavorFits,
    private readonly names: KnownNames,
  ) {}

  /** Throws InvalidInput for names that nobody knows, and CallerGone. */
  async list({ filter, order, limit, marker }: HostListQuery, caller: Caller): Promise<HostPage> {
    const flavor = filter.flavor === undefined ? null : await this.fits.named('flavor', filter.flavor);
    const cloud = await this.cloud.current(caller);
    const { graph, atMs } = cloud;
    await this.checkNames(cloud, filter, order);
    const found = await narrowed(cloud, filter, flavor, caller);
    const at = { atMs, roots: graph.rootIds.length };
    if (order.by === 'instances') await this.counts.read(found, at);
    const after = marker === undefined ? undefined : found.find(({ tree }) => tree.root.uuid === marker);
    if (marker !== undefined && after === undefined) throw unknownMarker(marker);
    const asked = { count: limit + 1, after: after };
    const first = firstAfter(found, asked, orderOf(order, this.counts));
    const hosts = first.slice(0, limit);
    await this.counts.read(hosts, at);
    const next = first.length > limit ? (hosts.at(-1)?.tree.root.uuid ?? null) : null;
    return { atMs, count: found.length, hosts, next };
  }

  private async checkNames({ graph }: Cloud, filter: HostFilter, order: HostOrder): Promise<void> {
    const { traits, forbiddenTraits, resourceClass } = filter;
    await this.names.checkTraits(graph, 'trait', [...traits, ...forbiddenTraits]);
    if (resourceClass !== undefined) await this.names.checkClasses(graph, 'resource_class', [resourceClass]);
    if ('resourceClass' in order) await this.names.checkClasses(graph, 'sort', [order.resourceClass]);
  }
}

async function narrowed(
  cloud: Cloud,
  filter: HostFilter,
  asked: AskedFlavor | null,
  caller: Caller,
): Promise<readonly CloudHost[]> {
  const found = cloud.hosts.filter(hostTest(filter, cloud));
  if (asked === null) return found;
  const fits = await hostsThatFit(cloud.graph, found, asked, caller);
  return found.filter((_, at) => fits[at] === 1);
}
