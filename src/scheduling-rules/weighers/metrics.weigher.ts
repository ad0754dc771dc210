// MetricsWeigher: metrics of the host, each times its ratio. A missing metric fails the host; if metrics are not
// required, the host gets the configured weight of unavailable metrics.

import { boolean, number } from '../../platform/values/options';
import type { HostState } from '../host-state/host-state';
import { defineWeigher } from '../pipeline/define-weigher';
import { METRIC_OPTIONS, metricOf, metricsTurnAt, namedRatiosOf } from '../pipeline/metric-settings';

export const metricsWeigher = defineWeigher({
  name: 'MetricsWeigher',
  summary: 'Prefers hosts by the metrics they report, each times its ratio in [metrics] weight_setting.',
  options: {
    weight_multiplier: number(1.0, 'Multiplier of MetricsWeigher.', {
      group: 'metrics',
      aggregateKey: 'metrics_weight_multiplier',
    }),
    ...METRIC_OPTIONS,
    required: boolean(
      true,
      'A host without one of the metrics fails and gets the worst score; enable MetricsFilter to reject it.',
      { group: 'metrics' },
    ),
    weight_of_unavailable: number(-10_000, 'Raw value of a host that lacks a metric, when they are not required.', {
      group: 'metrics',
    }),
  },
  applies: (_spec, { weight_setting: entries }) => namedRatiosOf(entries).length > 0,
  validUntil: (host, { options, nowMs }) =>
    metricsTurnAt(host, options.weight_setting, { nowMs, maxAgeSeconds: options.max_age }),
  multiplier: (options) => options.weight_multiplier,
  weigh: (host, _spec, { options, env }) => {
    const age = { nowMs: env.nowMs, maxAgeSeconds: options.max_age };
    let sum = 0;
    for (const { name, ratio } of namedRatiosOf(options.weight_setting)) {
      const found = metricOf(host, name, age);
      if (found?.kind === 'fresh') sum += found.metric.value * ratio;
      else if (options.required) throw notFound(host, name);
      else if (ratio * options.weight_multiplier !== 0) return options.weight_of_unavailable;
    }
    return sum;
  },
});

const notFound = ({ host, node }: HostState, name: string): Error =>
  new Error(`Metric ${name} could not be found on the compute host node ${host}.${node}.`);
