// MetricsFilter: hosts must report every metric that the metrics weigher uses.

import { defineFilter } from '../pipeline/define-filter';
import { METRIC_OPTIONS, metricOf, metricsTurnAt, namedRatiosOf } from '../pipeline/metric-settings';
import { shownList } from './shown-params';

export const metricsFilter = defineFilter({
  name: 'MetricsFilter',
  summary: 'Rejects hosts that do not report every metric named in [metrics] weight_setting.',
  options: METRIC_OPTIONS,
  rejections: {
    metrics_missing: 'host does not report {missing}; it reports: {found}',
    metric_too_old: 'the metric {metric} was measured {age_seconds} s ago; the limit is {limit} s',
  },
  applies: (_spec, { weight_setting: entries }) => namedRatiosOf(entries).length > 0,
  validUntil: (host, { options, nowMs }) =>
    metricsTurnAt(host, options.weight_setting, { nowMs, maxAgeSeconds: options.max_age }),
  check: (host, _spec, { options, env, pass, reject }) => {
    const settings = namedRatiosOf(options.weight_setting);
    const names = new Set(host.metrics.map(({ name }) => name));
    const missing = settings.filter(({ name }) => !names.has(name)).map(({ name }) => name);
    if (missing.length > 0) {
      return reject('metrics_missing', { missing: shownList(missing), found: shownList(names) });
    }
    const age = { nowMs: env.nowMs, maxAgeSeconds: options.max_age };
    for (const { name } of settings) {
      const found = metricOf(host, name, age);
      if (found?.kind !== 'old') continue;
      return reject('metric_too_old', {
        metric: name,
        age_seconds: found.ageSeconds ?? 'unknown',
        limit: options.max_age,
      });
    }
    return pass;
  },
});
