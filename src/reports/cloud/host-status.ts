// What an operator is told of a host in one word, and whether it takes anything new. Pure.
import type { Provider } from '../../candidate-search';
import { DISABLED_TRAIT } from '../../compute/placement-mirror.service';
import { serviceStateOf } from '../../compute/services/service-liveness';
import type { KnownHost } from '../../scheduler/ports';

export const HOST_STATUSES = ['up', 'disabled', 'down', 'silent', 'unreported', 'sharing'] as const;
export type HostStatus = (typeof HOST_STATUSES)[number];

export interface StatedStatus {
  readonly status: HostStatus;
  /** Why, where there is more to say than the word does. */
  readonly reason: string | null;
}

const UP: StatedStatus = Object.freeze({ status: 'up', reason: null });
const UNREPORTED: StatedStatus = Object.freeze({ status: 'unreported', reason: null });
const SHARING: StatedStatus = Object.freeze({ status: 'sharing', reason: null });

/**
 * Disabled comes before down: it is meant to take nothing, heard of or not. A host that was reported and is not heard of
 * any more is `silent`; one that was forced down is `down`. A root nobody reported is `unreported`, or `sharing` where it
 * is there for others; both are judged by their switches alone, like ComputeFilter does.
 */
export function statusOf(
  root: Pick<Provider, 'traits' | 'isSharing'>,
  { reported, service }: KnownHost,
  at: { readonly nowMs: number; readonly serviceDownSeconds: number },
): StatedStatus {
  if (service?.disabled === true) return { status: 'disabled', reason: service.disabledReason };
  if (root.traits.has(DISABLED_TRAIT)) return { status: 'disabled', reason: `the root provider has ${DISABLED_TRAIT}` };
  if (service?.forcedDown === true) return { status: 'down', reason: 'the service was forced down' };
  if (reported === null || service === null) return root.isSharing && service === null ? SHARING : UNREPORTED;
  return serviceStateOf(service, at.nowMs, at.serviceDownSeconds) === 'up'
    ? UP
    : { status: 'silent', reason: `not heard of for more than ${at.serviceDownSeconds} seconds` };
}

/** Whether something new may be placed there. */
export const isUsable = (status: HostStatus): boolean =>
  status === 'up' || status === 'unreported' || status === 'sharing';
