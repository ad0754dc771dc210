// Places an instance that already has allocations once more, for example for an evacuation by a caller that manages
// instances itself. The instance keeps its allocations and gets those on the new host in addition; the caller later
// removes the old ones. Pure.

import type { Candidate } from '../../placement/candidate-search';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { wantedTarget } from '../../scheduling-rules/request-spec/target-host';
import type { HeldInstance } from '../ports';

/**
 * Why an instance with existing allocations is refused; null if it is placed. An instance that the scheduler placed must
 * be excluded from its host explicitly, otherwise a request that is sent twice would claim twice. Nova does not check it.
 */
export function whyNotMerged(
  spec: RequestSpec,
  { placed }: HeldInstance,
  { novaCompat }: { readonly novaCompat: boolean },
): string | null {
  const called = `Instance ${spec.instanceUuid}`;
  if (spec.instanceUuids.length > 1) return `${called} has allocations already.`;
  if (placed === null) return null;
  const { host, isMoving } = placed;
  if (isMoving) return `${called} is being moved: confirm or revert that first.`;
  if (novaCompat || isLedAwayFrom(host, spec)) return null;
  return `${called} is placed on host ${host} already; one that is to leave it is sent with ${host} in ignore_hosts.`;
}

function isLedAwayFrom(host: string, spec: RequestSpec): boolean {
  const target = wantedTarget(spec)?.host ?? null;
  return spec.ignoreHosts.includes(host) || (target !== null && target !== host);
}

/** The merged allocations. A provider with existing allocations, such as a shared one, gets no new ones. */
export const mergeWithExisting = (
  { allocations }: HeldInstance,
  added: Candidate['allocations'],
): Candidate['allocations'] => ({ ...added, ...allocations });
