// The target host of a request, and its effect on the Placement query.

import type { RequestedDestination, RequestSpec } from './request-spec';

/** A host and one of its nodes, with the uuid of the node's root provider. */
export interface TargetNode {
  readonly host: string;
  readonly node: string;
  readonly uuid: string;
}

/** The requested target; at least one field is set. */
export interface WantedTarget {
  readonly host: string | null;
  readonly node: string | null;
}

/** The request names an unknown host or node. */
export class NoSuchHost extends Error {
  override readonly name = 'NoSuchHost';
  constructor(readonly wanted: WantedTarget) {
    const { host, node } = wanted;
    // Nova's own sentence, including the trailing blank.
    super(`No such host - host: ${host ?? 'None'} node: ${node ?? 'None'} `);
  }
}

/** The destination before the forced host, separately for host and node; null if the request names neither. */
export function wantedTarget(spec: RequestSpec): WantedTarget | null {
  const host = spec.requestedDestination?.host ?? spec.forceHosts[0] ?? null;
  const node = spec.requestedDestination?.node ?? spec.forceNodes[0] ?? null;
  return host === null && node === null ? null : { host, node };
}

/** The effect of a target on the query. */
interface TargetEffect {
  readonly inTree: string | null;
  readonly isUnlimited: boolean;
  readonly destination: RequestedDestination | null;
}

/**
 * A single node restricts the query to its tree and completes the destination. With several nodes, or without a lookup
 * (`targets` null), the pre-selection chooses, so the answer must not be truncated. No node is refused.
 */
export function targetEffect(spec: RequestSpec, targets: readonly TargetNode[] | null): TargetEffect {
  const destination = spec.requestedDestination;
  const target = wantedTarget(spec);
  if (target === null) return { inTree: null, isUnlimited: false, destination };
  if (targets?.length === 0) throw new NoSuchHost(target);
  const [only, ...others] = targets ?? [];
  if (only === undefined || others.length > 0) return { inTree: null, isUnlimited: true, destination };
  const completed = destination === null ? null : { ...destination, host: only.host, node: only.node };
  return { inTree: only.uuid, isUnlimited: false, destination: completed };
}
