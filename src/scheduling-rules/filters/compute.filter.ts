// ComputeFilter: rejects hosts whose compute service is disabled, forced down or has not reported lately. A host
// without any report counts as up.

import { defineFilter } from '../pipeline/define-filter';
import { integer } from '../../platform/values/options';

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
  check: ({ service }, _spec, { options, env, pass, reject }) => {
    if (service === null) return pass;
    if (service.disabled) {
      return reject('service_disabled', { disabled: true, reason: service.disabledReason ?? 'no reason given' });
    }
    if (service.forcedDown) return reject('service_forced_down', { forced_down: true });
    const limit = serviceDownTimeInForce(options.service_down_time, options.report_interval);
    const elapsed = (env.nowMs - (service.lastSeenUpMs ?? service.createdAtMs)) / 1000;
    if (Math.abs(elapsed) <= limit) return pass;
    if (elapsed < 0) return reject('service_clock_ahead', { seconds_ahead: -elapsed, limit });
    const lastSign = service.lastSeenUpMs === null ? 'never reported and was created' : 'last reported';
    return reject('service_down', { last_sign: lastSign, seconds_since: elapsed, limit });
  },
});
