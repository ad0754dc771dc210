// The status of a host in one word, and whether it accepts new instances. Pure.
import { serviceStateOf } from '../../compute/services/service-liveness';
import type { Provider } from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { computeFilter } from '../../scheduling-rules/filters/compute.filter';
import type { HostService } from '../../scheduling-rules/host-state/host-state';
import { renderFilterRejection } from '../../scheduling-rules/pipeline/verdict';
import type { KnownHost } from '../ports';

export const HOST_STATUSES = ['up', 'disabled', 'down', 'silent', 'unreported', 'sharing'] as const;
export type HostStatus = (typeof HOST_STATUSES)[number];

interface StatedStatus {
  readonly status: HostStatus;
  /** Why the host accepts nothing, in the words of the part that refuses; null: it accepts. */
  readonly reason: string | null;
}

interface StatusEnvironment {
  readonly nowMs: number;
  /** A service whose last report is older counts as down. */
  readonly serviceDownSeconds: number;
}

const UP: StatedStatus = Object.freeze({ status: 'up', reason: null });
const UNREPORTED: StatedStatus = Object.freeze({ status: 'unreported', reason: null });
const REMOVED: StatedStatus = Object.freeze({ status: 'down', reason: 'its compute host was removed' });
const SHARING: StatedStatus = Object.freeze({ status: 'sharing', reason: null });

/**
 * Disabled has precedence over down: such a host accepts nothing in any case. A host whose reports stopped is `silent`;
 * one that was forced down is `down`. A root without a report is `sharing` if it is a sharing provider and no service
 * has its name, otherwise `unreported`; only its switches count.
 */
export function statusOf(
  root: Pick<Provider, 'uuid' | 'id' | 'name' | 'traits' | 'isSharing' | 'wasReported'>,
  { reported, service }: KnownHost,
  env: StatusEnvironment,
): StatedStatus {
  if (service?.disabled === true) {
    return unavailable('disabled', 'service_disabled', { reason: service.disabledReason ?? 'no reason given' });
  }
  if (root.traits.has(DISABLED_TRAIT)) {
    return { status: 'disabled', reason: `the root provider has trait ${DISABLED_TRAIT}` };
  }
  if (reported === null && root.wasReported) return REMOVED;
  if (service?.forcedDown === true) return unavailable('down', 'service_forced_down', {});
  if (reported === null || service === null) return root.isSharing && service === null ? SHARING : UNREPORTED;
  if (serviceStateOf(service, env.nowMs, env.serviceDownSeconds) !== 'up') return silentSince(service, env);
  return UP;
}

function silentSince(
  { lastSeenUpMs, createdAtMs }: HostService,
  { nowMs, serviceDownSeconds: limit }: StatusEnvironment,
): StatedStatus {
  const elapsed = (nowMs - (lastSeenUpMs ?? createdAtMs)) / 1000;
  if (elapsed < 0) return unavailable('silent', 'service_clock_ahead', { seconds_ahead: -elapsed, limit });
  const lastSign = lastSeenUpMs === null ? 'never reported and was created' : 'last reported';
  return unavailable('silent', 'service_down', { last_sign: lastSign, seconds_since: elapsed, limit });
}

const unavailable = (
  status: HostStatus,
  code: keyof typeof computeFilter.rejections,
  params: Readonly<Record<string, string | number>>,
): StatedStatus => ({
  status,
  reason: renderFilterRejection(computeFilter.rejections, { code, params }),
});

/** Whether the host accepts new instances. */
export const isUsable = (status: HostStatus): boolean =>
  status === 'up' || status === 'unreported' || status === 'sharing';
