// Current host states of the scheduler: the reports, plus the instances placed since.
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../../platform/event-loop/caller';
import { NotFound } from '../../../platform/values/errors';
import { byText } from '../../../platform/values/text-order';
import { canonicalUuid } from '../../../platform/values/uuid';
import type { HostSource } from '../../../scheduler/ports';
import { HOST_SOURCE } from '../../../scheduler/ports';
import type { HostState } from '../../../scheduling-rules/host-state/host-state';
import type { TargetNode, WantedTarget } from '../../../scheduling-rules/request-spec/target-host';

const ANY: WantedTarget = { host: null, node: null };

@Injectable()
export class ComputeHosts {
  constructor(@Inject(HOST_SOURCE) private readonly hosts: HostSource) {}

  /** Throws not_found. */
  async refuseUnknown(host: string): Promise<void> {
    if (!(await this.isKnown(host))) throw new NotFound(`Compute host ${host} could not be found.`);
  }

  async isKnown(host: string): Promise<boolean> {
    await this.hosts.refresh();
    return this.hosts.targets({ host, node: null }).length > 0;
  }

  /** Sorted by node name. Returns the nodes after the marker. */
  async nodes(marker?: string): Promise<readonly TargetNode[]> {
    await this.hosts.refresh();
    const all = [...this.hosts.targets(ANY)].sort(byText(({ node }) => node));
    if (marker === undefined) return all;
    const last = canonicalUuid(marker);
    const at = all.findIndex(({ uuid }) => uuid === last);
    if (at < 0) throw new NotFound(`Marker ${marker} could not be found.`);
    return all.slice(at + 1);
  }

  /** Keyed by the uuid of the root provider. Hosts that no longer exist are missing. */
  async ofRoots(uuids: ReadonlySet<string>, caller: Caller): Promise<ReadonlyMap<string, HostState>> {
    if (uuids.size === 0) return new Map();
    await this.hosts.refresh();
    return this.statesOf([...uuids], caller);
  }

  /** The states of these nodes, in the same order. Nodes that no longer exist are missing. */
  async states(nodes: readonly TargetNode[], caller: Caller): Promise<readonly HostState[]> {
    const uuids = nodes.map(({ uuid }) => uuid);
    const found = await this.statesOf(uuids, caller);
    return uuids.flatMap((uuid) => found.get(uuid) ?? []);
  }

  private statesOf(uuids: readonly string[], caller: Caller): Promise<ReadonlyMap<string, HostState>> {
    const treesByUuid = new Map(uuids.map((uuid) => [uuid, []]));
    return this.hosts.states(treesByUuid, { nowMs: Date.now(), novaCompat: false, caller });
  }
}
