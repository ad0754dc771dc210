// Pre-selection: hosts that leave before any filter is asked, because the request ignores them or because nothing is
// known of them any more.

import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request/request-spec';
import type { HostRejection, StageRecord } from './run-filters';

/** A root that placement returned and no host row was found for: deleted meanwhile, or no host at all. */
export interface UnknownHost {
  readonly uuid: string;
  readonly name: string;
}

export interface Preselection {
  readonly survivors: readonly HostState[];
  readonly stage: StageRecord;
}

/** Names are compared ignoring case. Every host of the input survives or is rejected here. */
export function preselect(
  hosts: readonly HostState[],
  spec: Pick<RequestSpec, 'ignoreHosts'>,
  unknown: readonly UnknownHost[] = [],
): Preselection {
  const ignored = new Set(spec.ignoreHosts.map((name) => name.toLowerCase()));
  const rejected: HostRejection[] = unknown.map(({ uuid, name }) => ({
    host: name,
    node: name,
    code: 'unknown_host',
    params: { uuid },
    message: `no host is known for root provider ${uuid}`,
  }));
  const survivors: HostState[] = [];
  for (const state of hosts) {
    if (!ignored.has(state.host.toLowerCase())) {
      survivors.push(state);
      continue;
    }
    const { host, node } = state;
    rejected.push({ host, node, code: 'ignored', params: { host }, message: 'the request ignores this host' });
  }
  const stage: StageRecord = {
    kind: 'preselection',
    name: 'preselection',
    in: hosts.length + unknown.length,
    out: survivors.length,
    skipped: false,
    rejected,
    alsoRejects: [],
  };
  return { survivors, stage };
}
