// What an operator is told of a host in one word, and whether it takes anything new. Pure.
import { renderRejection } from '../../candidate-search';
import type { Provider } from '../../candidate-search';
import { DISABLED_TRAIT } from '../../domain/standard-traits';
import { serviceStateOf } from '../../compute/services/service-liveness';
import type { KnownHost } from '../../scheduler/ports';
import { computeFilter } from '../../scheduling/filters/compute.filter';
import type { HostService } from '../../scheduling/host-state/host-state';
import { renderFilterRejection } from '../../scheduling/pipeline/verdict';

export const HOST_STATUSES = ['up', 'disabled', 'down', 'silent', 'unreported', 'sharing'] as const;
export type HostStatus = (typeof HOST_STATUSES)[number];

interface StatedStatus {
  readonly status: HostStatus;
  /** What hinders everything there, in the words of whoever refuses it; null: nothing does. */
  readonly reason: string | null;
  /** For as long as the host is the same, this holds until then and no longer, in milliseconds since the epoch. */
  readonly untilMs: number;
}

interface StatusEnvironment {
  readonly nowMs: number;
  /** A service whose last report is older counts as down. */
  readonly serviceDownSeconds: number;
}

const ALWAYS = Number.POSITIVE_INFINITY;
const UNREPORTED: StatedStatus = Object.freeze({ status: 'unreported', reason: null, untilMs: ALWAYS });
const SHARING: StatedStatus = Object.freeze({ status: 'sharing', reason: null, untilMs: ALWAYS });

/**
 * Disabled comes before down: such a host is meant to take nothing, heard of or not. A host that was reported and is not
 * heard of any more is `silent`; one that was forced down is `down`. A root nobody reported is `unreported`, or `sharing`
 * where it is there for others and no service bears its name; it is judged by its switches alone.
 */
export function statusOf(
  root: Pick<Provider, 'uuid' | 'id' | 'name' | 'traits' | 'isSharing'>,
  { reported, service }: KnownHost,
  env: StatusEnvironment,
): StatedStatus {
  if (service?.disabled === true) {
    return told('disabled', 'service_disabled', { reason: service.disabledReason ?? 'no reason given' });
  }
  if (root.traits.has(DISABLED_TRAIT)) {
    const params = { trait: DISABLED_TRAIT };
    return {
      status: 'disabled',
      reason: renderRejection({ group: null, stage: 'root', code: 'forbidden_trait', params }),
      untilMs: ALWAYS,
    };
  }
  if (service?.forcedDown === true) return told('down', 'service_forced_down', {});
  if (reported === null || service === null) return root.isSharing && service === null ? SHARING : UNREPORTED;
  if (serviceStateOf(service, env.nowMs, env.serviceDownSeconds) !== 'up') return silentSince(service, env);
  const lastSignMs = service.lastSeenUpMs ?? service.createdAtMs;
  return { status: 'up', reason: null, untilMs: lastSignMs + env.serviceDownSeconds * 1000 };
}

function silentSince(
  { lastSeenUpMs, createdAtMs }: HostService,
  { nowMs, serviceDownSeconds: limit }: StatusEnvironment,
): StatedStatus {
  const elapsed = (nowMs - (lastSeenUpMs ?? createdAtMs)) / 1000;
  // Each says how long it has been, so neither holds any longer than it took to say.
  if (elapsed < 0) {
    return { ...told('silent', 'service_clock_ahead', { seconds_ahead: -elapsed, limit }), untilMs: nowMs };
  }
  const lastSign = lastSeenUpMs === null ? 'never reported and was created' : 'last reported';
  return {
    ...told('silent', 'service_down', { last_sign: lastSign, seconds_since: elapsed, limit }),
    untilMs: nowMs,
  };
}

const told = (
  status: HostStatus,
  code: keyof typeof computeFilter.rejections,
  params: Readonly<Record<string, string | number>>,
): StatedStatus => ({
  status,
  reason: renderFilterRejection(computeFilter.rejections, { code, params }),
  untilMs: ALWAYS,
});

/** Whether something new may be placed there. */
export const isUsable = (status: HostStatus): boolean =>
  status === 'up' || status === 'unreported' || status === 'sharing';
