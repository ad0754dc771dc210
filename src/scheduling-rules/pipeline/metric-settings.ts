// The configured metrics and their values on a host; shared by the filter and the weigher of metrics.

import { memoize } from '../../platform/values/memoize';
import { integer, list } from '../../platform/values/options';
import type { HostMetric, HostState } from '../host-state/host-state';
import { floatOf, isNanText } from './options';

/** `[metrics] weight_setting` and `[metrics] max_age`, declared alike by both. */
export const METRIC_OPTIONS = {
  weight_setting: list([], 'Metrics that count, as `name=ratio`; entries that do not parse are dropped.', {
    group: 'metrics',
    entryProblem: ratioProblem,
  }),
  max_age: integer(0, 'Seconds after which a measured metric counts as missing; 0: never.', {
    group: 'metrics',
    min: 0,
  }),
} as const;

interface MetricSetting {
  readonly name: string;
  readonly ratio: number;
}

/** The valid entries, in order. Cached per list: parsing three for 10 000 hosts takes 20 ms, cached 0.4 ms. */
export const namedRatiosOf = memoize((entries: readonly string[]): readonly MetricSetting[] => entries.flatMap(parse));

/** The warning about a dropped entry. */
export function ratioProblem(entry: string): string | null {
  return parse(entry).length > 0 ? null : `'${entry}' is not name=ratio and is dropped`;
}

function parse(entry: string): readonly MetricSetting[] {
  const at = entry.indexOf('=');
  if (at <= 0) return [];
  const text = entry.slice(at + 1);
  const ratio = floatOf(text);
  return Number.isFinite(ratio) && !isNanText(text) ? [{ name: entry.slice(0, at).trim(), ratio }] : [];
}

/** The moment from which a fresh one of these metrics is too old. */
export function metricsTurnAt(
  host: Pick<HostState, 'metrics' | 'updatedAtMs'>,
  entries: readonly string[],
  age: { readonly nowMs: number; readonly maxAgeSeconds: number },
): number {
  const turns = namedRatiosOf(entries).map(({ name }) => {
    const found = age.maxAgeSeconds === 0 ? null : metricOf(host, name, age);
    const measuredAtMs = found?.metric.measuredAtMs ?? host.updatedAtMs ?? 0;
    return found?.kind === 'fresh' ? measuredAtMs + age.maxAgeSeconds * 1000 + 1 : Number.POSITIVE_INFINITY;
  });
  return Math.min(Number.POSITIVE_INFINITY, ...turns);
}

/** The metric by name; the last one counts. `old`: beyond the maximum age. */
export function metricOf(
  host: Pick<HostState, 'metrics' | 'updatedAtMs'>,
  name: string,
  age: { readonly nowMs: number; readonly maxAgeSeconds: number },
): { readonly kind: 'fresh' | 'old'; readonly metric: HostMetric; readonly ageSeconds: number | null } | null {
  const metric = host.metrics.findLast((candidate) => candidate.name === name);
  if (metric === undefined) return null;
  const measuredAtMs = metric.measuredAtMs ?? host.updatedAtMs;
  const ageSeconds = measuredAtMs === null ? null : (age.nowMs - measuredAtMs) / 1000;
  const isOld = age.maxAgeSeconds > 0 && (ageSeconds === null || ageSeconds > age.maxAgeSeconds);
  return { kind: isOld ? 'old' : 'fresh', metric, ageSeconds };
}
