// What a family of numbers is: its name, what it means, the labels it has, and where its values are read when somebody
// asks. Counting is done by the parts themselves, with plain additions; nothing here runs on the way of a request.
import { METRICS_LIMITS } from '../config/limits';
import type { Distribution } from '../domain/tally';
import type { Walk } from '../domain/walk';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** One value, or one per set of labels. A histogram has a distribution instead. */
interface DistributionSample {
  readonly labels: Labels;
  readonly distribution: Distribution;
}

/** How values of several workers become one: they add up, the largest counts, or any of them knows. */
export type OverWorkers = 'sum' | 'max' | 'first';

interface FamilyFacts {
  /** As Prometheus names things: unit last, `_total` for what only grows. */
  readonly name: string;
  readonly help: string;
  /** Each label with the values it may have, in words: all of them are bounded. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly overWorkers: OverWorkers;
}

interface NumberFamily extends FamilyFacts {
  readonly kind: 'counter' | 'gauge';
  readonly read: () => Iterable<Sample> | Promise<Iterable<Sample>>;
}

interface HistogramFamily extends FamilyFacts {
  readonly kind: 'histogram';
  readonly read: () => Iterable<DistributionSample>;
}

export type MetricFamily = NumberFamily | HistogramFamily;

type Declared<F> = Omit<F, 'kind' | 'overWorkers'>;

/** Only grows while the process lives. */
export const counter = (family: Declared<NumberFamily>): MetricFamily => ({
  ...family,
  kind: 'counter',
  overWorkers: 'sum',
});

export const gauge = (overWorkers: OverWorkers, family: Declared<NumberFamily>): MetricFamily => ({
  ...family,
  kind: 'gauge',
  overWorkers,
});

export const histogram = (family: Declared<HistogramFamily>): MetricFamily => ({
  ...family,
  kind: 'histogram',
  overWorkers: 'sum',
});

/** One value without labels. */
export const one = (value: number): readonly Sample[] => [{ labels: {}, value }];

/** A family at one time: what stands in its lines, apart from their values. It travels between processes as JSON. */
export interface MetricDocument {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly overWorkers: OverWorkers;
  /** Name and labels of each line, which all processes write alike: values of the same series become one. */
  readonly series: readonly string[];
  /** A value for each of them. JSON has no number that is none, and says null. */
  readonly values: readonly (number | null)[];
}

/** Reads a family so many lines at a time. */
export async function readFamily(family: MetricFamily): Promise<Walk<MetricDocument>> {
  return documentOf(family, await family.read());
}

function* documentOf(
  { name, help, kind: type, overWorkers }: MetricFamily,
  samples: Iterable<Sample | DistributionSample>,
): Walk<MetricDocument> {
  const series: string[] = [];
  const values: number[] = [];
  let until = METRICS_LIMITS.samplesPerStep;
  for (const sample of samples) {
    if ('value' in sample) {
      series.push(seriesOf(name, sample.labels));
      values.push(sample.value);
    } else {
      // As a whole: buckets, sum and count are of one moment.
      addDistribution(name, sample, series, values);
    }
    if (series.length < until) continue;
    until = series.length + METRICS_LIMITS.samplesPerStep;
    yield;
  }
  return { name, help, type, overWorkers, series, values };
}

function addDistribution(
  name: string,
  { labels, distribution }: DistributionSample,
  series: string[],
  values: number[],
): void {
  const { bounds, counts, sum } = distribution;
  let count = 0;
  for (const [at, inBucket] of counts.entries()) {
    count += inBucket;
    series.push(seriesOf(`${name}_bucket`, { ...labels, le: bounds[at] ?? '+Inf' }));
    values.push(count);
  }
  series.push(seriesOf(`${name}_sum`, labels), seriesOf(`${name}_count`, labels));
  values.push(sum, count);
}

/** A name with its labels, in their order, as a line begins with it. */
export function seriesOf(name: string, labels: Readonly<Record<string, string | number | undefined>>): string {
  let text = '';
  for (const label in labels) text += `${text === '' ? '{' : ','}${label}="${escaped(labels[label])}"`;
  return text === '' ? name : `${name}${text}}`;
}

const escaped = (value: string | number | undefined): string | number | undefined =>
  typeof value === 'string' && /[\\\n"]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
    : value;
