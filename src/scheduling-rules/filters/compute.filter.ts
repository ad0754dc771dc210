// ComputeFilter: rejects hosts whose compute service is disabled, forced down or has not reported lately. A host
// without any report counts as up.

import type { RejectionParams } from '../../placement/candidate-search';
import { integer } from '../../platform/values/options';
import type { HostService } from '../host-state/host-state';
import { defineFilter } from '../pipeline/define-filter';

/** A down time that does not exceed the report interval would take down every host; it becomes 2.5 intervals. */
export const serviceDownTimeInForce = (downTime: number, reportInterval: number): number =>
  downTime > reportInterval ? downTime : Math.trunc(2.5 * reportInterval);

export const SERVICE_OPTIONS = {
  service_down_time: integer(
    60,
    'Seconds after its last report until a service counts as down; at least 2.5 × `report_interval`.',
    { group: 'DEFAULT', min: 1 },
  ),
  report_interval: integer(10, 'Seconds between two reports of a host.', { group: 'DEFAULT', min: 1 }),
} as const;

type DownCode = 'service_forced_down' | 'service_down' | 'service_clock_ahead';

/** Why the service counts as down, whether or not it is disabled; null: it is up. `limit` in seconds. */
function downVerdict(
  { forcedDown, lastSeenUpMs, createdAtMs }: HostService,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): { readonly code: DownCode; readonly params: RejectionParams } | null {
  if (forcedDown) return { code: 'service_forced_down', params: { forced_down: true } };
  const elapsed = (nowMs - (lastSeenUpMs ?? createdAtMs)) / 1000;
  if (Math.abs(elapsed) <= limit) return null;
  if (elapsed < 0) return { code: 'service_clock_ahead', params: { seconds_ahead: -elapsed, limit } };
  const lastSign = lastSeenUpMs === null ? 'never reported and was created' : 'last reported';
  return { code: 'service_down', params: { last_sign: lastSign, seconds_since: elapsed, limit } };
}

export const computeFilter = defineFilter({
  name: 'ComputeFilter',
  summary: 'Rejects hosts whose compute service is disabled, forced down or not up.',
  options: SERVICE_OPTIONS,
  rejections: {
    service_disabled: 'the compute service is disabled: {reason}',
    service_forced_down: 'the compute service is forced down',
    service_down: 'the compute service {last_sign} {seconds_since} s ago; it counts as down after {limit} s',
    service_clock_ahead:
      'the last sign of the compute service is {seconds_ahead} s in the future; more than {limit} s count as down',
  },
  once: true,
  validUntil: ({ service }, { options, nowMs }) => {
    if (service === null || service.disabled || service.forcedDown) return Number.POSITIVE_INFINITY;
    const limitMs = serviceDownTimeInForce(options.service_down_time, options.report_interval) * 1000;
    const seenMs = service.lastSeenUpMs ?? service.createdAtMs;
    if (seenMs - limitMs > nowMs) return seenMs - limitMs;
    return seenMs + limitMs < nowMs ? Number.POSITIVE_INFINITY : seenMs + limitMs + 1;
  },
  check: ({ service }, _spec, { options, env, pass, reject }) => {
    if (service === null) return pass;
    if (service.disabled) {
      return reject('service_disabled', { disabled: true, reason: service.disabledReason ?? 'no reason given' });
    }
    const limit = serviceDownTimeInForce(options.service_down_time, options.report_interval);
    const down = downVerdict(service, { nowMs: env.nowMs, limit });
    return down === null ? pass : reject(down.code, down.params);
  },
});
