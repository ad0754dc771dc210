// The list of hosts: narrowed, put in order, and cut into pages.
import { Injectable } from '@nestjs/common';
import type { Walk } from '../../domain/walk';
import { turns } from '../../turns/turns';
import type { Caller } from '../../turns/turns';
import { InstanceCounts } from '../cloud/instance-counts';
import { KnownNames } from '../cloud/known-names';
import { ReportedCloud } from '../cloud/reported-cloud';
import type { Cloud, CloudHost } from '../cloud/reported-cloud';
import { FlavorFits, hostsThatFit } from '../fit/flavor-fits';
import type { AskedFlavor } from '../fit/flavor-fits';
import { pageBehind } from '../report-query';
import { hostTest } from './host-filter';
import type { HostFilter } from './host-filter';
import { inOrder } from './host-order';
import type { HostOrder } from './host-order';

export interface HostListQuery {
  readonly filter: HostFilter;
  readonly order: HostOrder;
  readonly limit: number;
  /** Uuid of the last root of the page before. */
  readonly marker: string | undefined;
}

export interface HostPage {
  readonly atMs: number;
  /** All that match. */
  readonly count: number;
  readonly hosts: readonly CloudHost[];
  readonly next: string | null;
}

/** Hosts tested between two chances of others. */
const HOSTS_PER_STEP = 500;

@Injectable()
export class HostListService {
  constructor(
    private readonly cloud: ReportedCloud,
    private readonly counts: InstanceCounts,
    private readonly fits: FlavorFits,
    private readonly names: KnownNames,
  ) {}

  /** Throws InvalidInput for names that nobody knows, and CallerGone. */
  async list({ filter, order, limit, marker }: HostListQuery, caller: Caller): Promise<HostPage> {
    const asked = filter.flavor === undefined ? null : await this.fits.named('flavor', filter.flavor);
    const cloud = await this.cloud.current(caller);
    const { graph, atMs } = cloud;
    await this.checkNames(cloud, filter, order);
    const found = await turns.run(narrowed(cloud, filter, asked), caller);
    const at = { atMs, roots: graph.rootIds.length };
    if (order.by === 'instances') await this.counts.read(found, at);
    const sorted = await turns.run(inOrder(found, order, this.counts), caller);
    const { page, next } = pageBehind(sorted, { limit, marker }, ({ tree }) => tree.root.uuid);
    await this.counts.read(page, at);
    return { atMs, count: found.length, hosts: page, next };
  }

  private async checkNames({ graph }: Cloud, filter: HostFilter, order: HostOrder): Promise<void> {
    const { traits, forbiddenTraits, resourceClass } = filter;
    await this.names.checkTraits(graph, 'trait', [...traits, ...forbiddenTraits]);
    if (resourceClass !== undefined) await this.names.checkClasses(graph, 'resource_class', [resourceClass]);
    if ('resourceClass' in order) await this.names.checkClasses(graph, 'sort', [order.resourceClass]);
  }
}

function* narrowed(cloud: Cloud, filter: HostFilter, asked: AskedFlavor | null): Walk<readonly CloudHost[]> {
  const test = hostTest(filter, cloud);
  const found: CloudHost[] = [];
  for (const [at, host] of cloud.hosts.entries()) {
    if (at % HOSTS_PER_STEP === HOSTS_PER_STEP - 1) yield;
    if (test(host)) found.push(host);
  }
  if (asked === null) return found;
  const fitting = yield* hostsThatFit(cloud.graph, found, asked);
  return found.filter((host) => fitting.has(host));
}
