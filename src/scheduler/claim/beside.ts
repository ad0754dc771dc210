// An instance that has allocations already and is placed once more, as an evacuation is by a caller that manages instances
// itself: it keeps what it has, and what the new host adds stands beside that until the caller takes the old part away.
// Pure.

import type { HeldInstance } from '../ports';
import type { Candidate } from '../../placement/candidate-search';
import type { RequestSpec } from '../../scheduling-rules/request/request-spec';
import { wantedTarget } from '../../scheduling-rules/request/target-host';

/**
 * Why an instance is not placed beside what it has; null: it is. An instance that the scheduler placed has to be led away
 * from its host in so many words, else a request that was sent twice would claim twice. Nova does without.
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

/** What the instance has afterwards. Of a provider that serves it already, a shared one for instance, it gets no more. */
export const besideHeld = (
  { allocations }: HeldInstance,
  added: Candidate['allocations'],
): Candidate['allocations'] => ({ ...added, ...allocations });
