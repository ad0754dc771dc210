// What metrics the configuration asks for, and which of them a host reports: shared by the filter and the weigher of
// metrics.

import type { HostMetric, HostState } from '../host-state/host-state';
import { floatOf, isNanText, option } from './options';

/** `[metrics] weight_setting` and `[metrics] max_age`, declared alike by both. */
export const METRIC_OPTIONS = {
  weight_setting: option.list({
    group: 'metrics',
    default: [],
    help: 'Metrics that count, as `name=ratio`; entries that do not parse are dropped.',
  }),
  max_age: option.integer({
    group: 'metrics',
    default: 0,
    min: 0,
    help: 'Seconds after which a measured metric counts as missing; 0: never.',
  }),
} as const;

export interface MetricSetting {
  readonly name: string;
  readonly ratio: number;
}

const SETTINGS = new WeakMap<readonly string[], readonly MetricSetting[]>();

/** The entries that parse, in order. Asked for every host, so it is computed once per list. */
export function settingsOf(entries: readonly string[]): readonly MetricSetting[] {
  let settings = SETTINGS.get(entries);
  if (settings === undefined) SETTINGS.set(entries, (settings = entries.flatMap(parse)));
  return settings;
}

/** Entries that do not parse, for a warning at start. */
export const unreadableSettings = (entries: readonly string[]): readonly string[] =>
  entries.filter((entry) => parse(entry).length === 0);

function parse(entry: string): readonly MetricSetting[] {
  const at = entry.indexOf('=');
  if (at <= 0) return [];
  const text = entry.slice(at + 1);
  const ratio = floatOf(text);
  return Number.isFinite(ratio) && !isNanText(text) ? [{ name: entry.slice(0, at).trim(), ratio }] : [];
}

/** The metric by name; of several the last. `old`: too old to count. */
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
