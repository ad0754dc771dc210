// The host a request names as its target, and what that means for the placement query.

import type { RequestSpec, RequestedDestination } from './request-spec';

/** A host and one of its nodes, with the uuid of the node's root provider. */
export interface TargetNode {
  readonly host: string;
  readonly node: string;
  readonly uuid: string;
}

/** What is looked for; at least one of them is named. */
export interface WantedTarget {
  readonly host: string | null;
  readonly node: string | null;
}

/** The request names a host or node that nobody knows. */
export class NoSuchHost extends Error {
  override readonly name = 'NoSuchHost';
  constructor({ host, node }: WantedTarget) {
    // The field's own sentence, trailing blank included.
    super(`No such host - host: ${host ?? 'None'} node: ${node ?? 'None'} `);
  }
}

/** Destination before forced host, each for host and node alone; null when the request names neither. */
export function wantedTarget(spec: RequestSpec): WantedTarget | null {
  const host = spec.requestedDestination?.host ?? spec.forceHosts[0] ?? null;
  const node = spec.requestedDestination?.node ?? spec.forceNodes[0] ?? null;
  return host === null && node === null ? null : { host, node };
}

/** How a target changes the query. */
interface TargetEffect {
  readonly inTree: string | null;
  readonly isUnlimited: boolean;
  readonly destination: RequestedDestination | null;
}

/**
 * One node confines the query to its tree and completes the destination. Several nodes, or a target that nobody looked
 * up (`targets` null), leave the choice to the pre-selection, so the answer may not be cut. None is refused.
 */
export function targetEffect(spec: RequestSpec, targets: readonly TargetNode[] | null): TargetEffect {
  const destination = spec.requestedDestination;
  const wanted = wantedTarget(spec);
  if (wanted === null) return { inTree: null, isUnlimited: false, destination };
  if (targets?.length === 0) throw new NoSuchHost(wanted);
  const [only, ...others] = targets ?? [];
  if (only === undefined || others.length > 0) return { inTree: null, isUnlimited: true, destination };
  const completed = destination === null ? null : { ...destination, host: only.host, node: only.node };
  return { inTree: only.uuid, isUnlimited: false, destination: completed };
}
