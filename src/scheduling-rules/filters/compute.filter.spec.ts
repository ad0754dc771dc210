import type { HostService } from '../host-state/host-state';
import { filterTable } from '../pipeline/rule-table.fixture';
import { computeFilter, serviceDownTimeInForce } from './compute.filter';

const NOW = 1_000_000_000;
const service = (given: Partial<HostService> = {}) => ({
  service: { disabled: false, disabledReason: null, forcedDown: false, lastSeenUpMs: NOW, createdAtMs: 0, ...given },
});
const down = (seconds: number, limit: number, sign = 'last reported') => ({
  code: 'service_down',
  params: { last_sign: sign, seconds_since: seconds, limit },
});
const env = { nowMs: NOW };

describe('ComputeFilter', () => {
  filterTable(computeFilter, {
    reproduces: {
      service_disabled: { rejects: ({ disabled }) => disabled === true, unless: { disabled: false, reason: '' } },
      service_forced_down: { rejects: (params) => params['forced_down'] === true, unless: { forced_down: false } },
      service_down: {
        rejects: (params) => Number(params['seconds_since']) > Number(params['limit']),
        unless: { last_sign: 'last reported', seconds_since: 60, limit: 60 },
      },
      service_clock_ahead: {
        rejects: (params) => Number(params['seconds_ahead']) > Number(params['limit']),
        unless: { seconds_ahead: 60, limit: 60 },
      },
    },
    rows: [
      {
        rule: 'a host without a report is up; one with a disabled service is not',
        host: { service: null },
        env,
        verdict: 'pass',
        flip: {
          host: service({ disabled: true, disabledReason: 'maintenance' }),
          verdict: { code: 'service_disabled', params: { disabled: true, reason: 'maintenance' } },
        },
      },
      {
        rule: 'an enabled service that just reported is up; disabled without a reason it is rejected all the same',
        host: service(),
        env,
        verdict: 'pass',
        flip: {
          host: service({ disabled: true }),
          verdict: { code: 'service_disabled', params: { disabled: true, reason: 'no reason given' } },
        },
      },
      {
        rule: 'forced down beats a fresh report',
        host: service({ forcedDown: true }),
        env,
        verdict: { code: 'service_forced_down', params: { forced_down: true } },
        flip: { host: service({ forcedDown: false }), verdict: 'pass' },
      },
      {
        rule: 'disabled is told before forced down',
        host: service({ disabled: true, forcedDown: true, disabledReason: 'r' }),
        env,
        verdict: { code: 'service_disabled', params: { disabled: true, reason: 'r' } },
        flip: {
          host: service({ forcedDown: true }),
          verdict: { code: 'service_forced_down', params: { forced_down: true } },
        },
      },
      {
        rule: 'a report exactly as old as the limit still counts; a millisecond older does not',
        host: service({ lastSeenUpMs: NOW - 60_000 }),
        env,
        verdict: 'pass',
        flip: { host: service({ lastSeenUpMs: NOW - 60_001 }), verdict: down(60.001, 60) },
      },
      {
        rule: 'a service that never reported is as old as its creation',
        host: service({ lastSeenUpMs: null, createdAtMs: NOW - 60_000 }),
        env,
        verdict: 'pass',
        flip: {
          host: service({ lastSeenUpMs: null, createdAtMs: NOW - 61_000 }),
          verdict: down(61, 60, 'never reported and was created'),
        },
      },
      {
        rule: 'a report from the future is allowed as much skew as a late one',
        host: service({ lastSeenUpMs: NOW + 60_000 }),
        env,
        verdict: 'pass',
        flip: {
          host: service({ lastSeenUpMs: NOW + 60_001 }),
          verdict: { code: 'service_clock_ahead', params: { seconds_ahead: 60.001, limit: 60 } },
        },
      },
      {
        rule: 'a configured down time is obeyed',
        host: service({ lastSeenUpMs: NOW - 61_000 }),
        options: { DEFAULT: { service_down_time: 61 } },
        env,
        verdict: 'pass',
        flip: { options: { DEFAULT: { service_down_time: 60 } }, verdict: down(61, 60) },
      },
      {
        rule: 'a down time not longer than the report interval is raised to 2.5 times it',
        host: service({ lastSeenUpMs: NOW - 27_000 }),
        options: { DEFAULT: { service_down_time: 11, report_interval: 11 } },
        env,
        verdict: 'pass',
        flip: { host: service({ lastSeenUpMs: NOW - 27_001 }), verdict: down(27.001, 27) },
      },
      {
        rule: 'a down time longer than the report interval stands',
        host: service({ lastSeenUpMs: NOW - 13_000 }),
        options: { DEFAULT: { service_down_time: 12, report_interval: 11 } },
        env,
        verdict: down(13, 12),
        flip: { options: { DEFAULT: { report_interval: 12 } }, verdict: 'pass' },
      },
    ],
  });

  it('raises a down time to whole seconds', () => {
    expect([serviceDownTimeInForce(10, 11), serviceDownTimeInForce(12, 11)]).toEqual([27, 12]);
  });

  it('runs once per request', () => expect(computeFilter.once).toBe(true));
});
