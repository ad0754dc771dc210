// Places an instance that already has allocations once more, for example for an evacuation by a caller that manages
// instances itself. The instance keeps its allocations and gets those on the new host in addition; the caller later
// removes the old ones. Pure.

import type { HeldInstance } from '../ports';
import type { Candidate } from '../../placement/candidate-search';
import type { RequestSpec } from '../../scheduling-rules/request/request-spec';
import { wantedTarget } from '../../scheduling-rules/request/target-host';

/**
 * Why the instance cannot be placed in addition to its allocations; null: it can. A request for an instance that the
 * scheduler placed must exclude its current host explicitly, otherwise a repeated request would claim twice. Nova does
 * not require this.
 */
export function refusesBeside(
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

/**
 * All allocations afterwards. On a provider that already serves the instance, such as a shared one, amounts stay the
 * same.
 */
export const besideHeld = (
  { allocations }: HeldInstance,
  added: Candidate['allocations'],
): Candidate['allocations'] => ({ ...added, ...allocations });
