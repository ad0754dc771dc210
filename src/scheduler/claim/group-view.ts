// The hosts that a server group allows, in addition to the filters: as reported by a refused claim after other members
// joined, and for forced hosts, which bypass the filters.

import { membersOnHost } from '../../scheduling-rules/host-state/group-members';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import { skipsFilters } from '../../scheduling-rules/pipeline/preselect';
import type { HostWeight } from '../../scheduling-rules/pipeline/run-weighers';
import type { InstanceGroup, RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { GroupHosts } from '../ports';

/** The hosts that the server group allows, as far as this request knows. */
export class GroupView {
  private latest: GroupHosts | null = null;

  found(hosts: GroupHosts): void {
    this.latest = hosts;
  }

  /** Why the group forbids the host; null: no violation is known. */
  refusal({ host }: Pick<HostState, 'host'>): string | null {
    if (this.latest === null) return null;
    const { kind, hosts } = this.latest;
    if (kind === 'only') return hosts.has(host) ? null : `the server group runs on ${[...hosts].join(', ')} now`;
    return hosts.has(host) ? 'the host runs as many members of the server group as its policy allows now' : null;
  }
}

/**
 * The view before any claim. A forced host bypasses the filters, but its claim would be refused. It is checked here, so
 * a dry run gives the same result and the message does not blame other requests.
 */
export function groupViewOf(spec: RequestSpec, order: readonly HostWeight[]): GroupView {
  const view = new GroupView();
  const { instanceGroup: group } = spec;
  if (group === null || !skipsFilters(spec)) return view;
  if (group.policy === 'affinity' && group.hosts.size > 0) view.found({ kind: 'only', hosts: group.hosts });
  if (group.policy === 'anti-affinity') view.found({ kind: 'except', hosts: fullHosts(group, order) });
  return view;
}

function fullHosts(group: InstanceGroup, order: readonly HostWeight[]): ReadonlySet<string> {
  const limit = group.maxServerPerHost ?? 1;
  if (limit === 1) return group.hosts;
  return new Set(order.flatMap(({ state }) => (membersOnHost(state, group).length < limit ? [] : state.host)));
}
