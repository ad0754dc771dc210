// Pre-selection: rejects hosts before the filters, because the request targets, ignores or forces hosts, or because a
// host is not known any more.

import type { RejectionParams } from '../../placement/candidate-search';
import type { HostState } from '../host-state/host-state';
import type { UnknownHost } from '../host-state/states-of-candidates';
import type { RequestSpec } from '../request-spec/request-spec';
import type { HostRejection, StageRecord } from './run-filters';

interface Preselection {
  readonly survivors: readonly HostState[];
  readonly stage: StageRecord;
  /** Forced hosts skip the filters. */
  readonly skipsFilters: boolean;
}

type Asked = Pick<RequestSpec, 'ignoreHosts' | 'forceHosts' | 'forceNodes' | 'requestedDestination' | 'checkType'>;

interface PreselectionRefusal {
  readonly code: string;
  readonly params: RejectionParams;
  readonly message: string;
}

type Rule = (state: HostState) => PreselectionRefusal | null;

/**
 * Destination, cell and forced nodes are compared exactly, ignored and forced hosts without regard to case. Every input
 * host either survives or is rejected.
 */
export function preselect(
  hosts: readonly HostState[],
  spec: Asked,
  unknown: readonly UnknownHost[] = [],
): Preselection {
  const rejected = unknown.map(unknownHost);
  const rules = rulesOf(spec);
  const survivors = rules.length === 0 ? hosts : hosts.filter((state) => passes(state, rules, rejected));
  const stage: StageRecord = {
    kind: 'preselection',
    name: 'preselection',
    in: hosts.length + unknown.length,
    out: survivors.length,
    skipped: false,
    rejected,
    alsoRejects: [],
  };
  return { survivors, stage, skipsFilters: skipsFilters(spec) };
}

export const unknownHost = ({ uuid, name }: UnknownHost): HostRejection => ({
  host: name,
  node: name,
  code: 'unknown_host',
  params: { uuid },
  message: `no host is known for root provider ${uuid}`,
});

/** As nova: a forced host bypasses the filters, except for a check of hosts. */
export const skipsFilters = ({ forceHosts, forceNodes, checkType }: Asked): boolean =>
  forceHosts.length + forceNodes.length > 0 && checkType === null;

function passes(state: HostState, rules: readonly Rule[], rejected: HostRejection[]): boolean {
  const rejection = rejectionBy(rules, state);
  if (rejection !== null) rejected.push(rejection);
  return rejection === null;
}

/** The first of the rules that rejects the host; null: it passes. */
export function rejectionBy(rules: readonly Rule[], state: HostState): HostRejection | null {
  const { host, node } = state;
  for (const rule of rules) {
    const refusal = rule(state);
    if (refusal !== null) return { host, node, ...refusal };
  }
  return null;
}

export function rulesOf({ requestedDestination, ignoreHosts, forceHosts, forceNodes }: Asked): readonly Rule[] {
  const rules: Rule[] = [...destinationRules(requestedDestination)];
  if (ignoreHosts.length > 0) {
    const ignored = lowered(ignoreHosts);
    rules.push(({ host }) =>
      ignored.has(host.toLowerCase())
        ? { code: 'ignored', params: { host }, message: 'the request ignores this host' }
        : null,
    );
  }
  if (forceHosts.length > 0) {
    const forced = lowered(forceHosts);
    rules.push(({ host }) =>
      forced.has(host.toLowerCase())
        ? null
        : { code: 'not_forced', params: { hosts: forceHosts }, message: `the request forces ${forceHosts.join(', ')}` },
    );
  }
  if (forceNodes.length > 0) {
    const forced = new Set(forceNodes);
    rules.push(({ node }) =>
      forced.has(node)
        ? null
        : {
            code: 'not_a_forced_node',
            params: { nodes: forceNodes },
            message: `the request forces node ${forceNodes.join(', ')}`,
          },
    );
  }
  return rules;
}

/** A node without a host matches that node on any host. A cell restricts the request unless it can cross cells. */
function destinationRules(destination: RequestSpec['requestedDestination']): readonly Rule[] {
  const { host: wantedHost, node: wantedNode, cell: wantedCell, allowCrossCellMove } = destination ?? NOWHERE;
  const rules: Rule[] = [];
  if (wantedHost !== null || wantedNode !== null) {
    const requestedTarget = [
      ...(wantedHost === null ? [] : [wantedHost]),
      ...(wantedNode === null ? [] : [`node ${wantedNode}`]),
    ];
    const refusal: PreselectionRefusal = {
      code: 'not_the_destination',
      params: { host: wantedHost, node: wantedNode },
      message: `the request targets ${requestedTarget.join(' ')}`,
    };
    rules.push(({ host, node }) =>
      (wantedHost === null || host === wantedHost) && (wantedNode === null || node === wantedNode) ? null : refusal,
    );
  }
  if (wantedCell !== null && !allowCrossCellMove) {
    rules.push(({ cell }) =>
      cell === wantedCell
        ? null
        : {
            code: 'other_cell',
            params: { cell, wanted: wantedCell },
            message: `the request stays in cell ${wantedCell}`,
          },
    );
  }
  return rules;
}

const NOWHERE = { host: null, node: null, cell: null, allowCrossCellMove: false } as const;

const lowered = (names: readonly string[]): ReadonlySet<string> => new Set(names.map((name) => name.toLowerCase()));
