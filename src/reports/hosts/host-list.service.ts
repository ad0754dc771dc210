// Lists hosts: filters, sorts and pages them.
import { Injectable } from '@nestjs/common';
import { pageIn } from '../../compute/registry-page.sql';
import type { Caller } from '../../platform/event-loop/caller';
import type { Cloud } from '../../scheduler/cloud/cloud-reader';
import { CloudReader } from '../../scheduler/cloud/cloud-reader';
import { InstanceCounts } from '../cloud/instance-counts';
import { KnownNames } from '../cloud/known-names';
import { FlavorFits } from '../fit/flavor-fits';
import { FindingsCache } from '../stranded/findings-cache';
import { StrandedAmounts } from '../stranded/stranded-amounts';
import type { HostFilter } from './host-filter';
import { hostTest } from './host-filter';
import type { HostOrder } from './host-order';
import { orderOf } from './host-order';
import type { HostPage } from './host-rows';

interface HostListQuery {
  readonly filter: HostFilter;
  readonly order: HostOrder;
  /** The rows have their stranded amounts as well. */
  readonly withStranded: boolean;
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
    private readonly findings: FindingsCache,
  ) {}

  /** Throws InvalidInput for unknown names, and CallerGone. */
  async list({ filter, order, withStranded, limit, marker }: HostListQuery, caller: Caller): Promise<HostPage> {
    const flavor = filter.flavor === undefined ? null : await this.fits.named('flavor', filter.flavor);
    const needsStranded = withStranded || filter.stranded !== undefined || order.by === 'stranded';
    const stranded = needsStranded ? new StrandedAmounts(await this.findings.newest()) : null;
    const cloud = await this.cloud.current(caller);
    const { graph, atMs } = cloud;
    await this.checkNames(cloud, filter, order);
    const passing = cloud.hosts.filter(hostTest(filter, cloud, stranded));
    const against = flavor && (await this.fits.reasonsAgainst(flavor, { graph, hosts: passing }, caller));
    const found = against === null ? passing : passing.filter((_, at) => against[at] === null);
    const at = { atMs, roots: graph.rootIds.length };
    if (order.by === 'instances') await this.counts.read(found, at);
    const { keyOf, compare } = orderOf(order, { counts: this.counts, stranded });
    const keyed = found.map((host) => ({ host, key: keyOf(host), uuid: host.tree.root.uuid }));
    const inOrder = keyed.sort((one, other) => compare(one.key, other.key, one.host, other.host));
    const { items, next } = pageIn(inOrder, ({ uuid }) => uuid, { limit, marker });
    const hosts = items.map(({ host }) => host);
    await this.counts.read(hosts, at);
    return { atMs, count: found.length, hosts, stranded, next };
  }

  private async checkNames({ graph }: Cloud, filter: HostFilter, order: HostOrder): Promise<void> {
    const { traits, forbiddenTraits, resourceClass, stranded } = filter;
    if (stranded !== undefined) await this.names.checkClasses(graph, 'stranded', [stranded]);
    await this.names.checkTraits(graph, 'trait', [...traits, ...forbiddenTraits]);
    if (resourceClass !== undefined) await this.names.checkClasses(graph, 'resource_class', [resourceClass]);
    if ('resourceClass' in order) await this.names.checkClasses(graph, 'sort', [order.resourceClass]);
  }
}
