// What a family of numbers is: its name, what it means, the labels it has, and where its values are read when somebody
// asks. Counting is done by the parts themselves, with plain additions; nothing here runs on the way of a request.
import type { Distribution } from '../domain/tally';

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
type OverWorkers = 'sum' | 'max' | 'first';

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

/** A family at one time, in the form that the library aggregates and prints; it travels between processes as JSON. */
export interface MetricDocument {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly { readonly value: number; readonly labels: object; readonly metricName?: string }[];
}

export async function metricDocumentOf(family: MetricFamily): Promise<MetricDocument> {
  const { name, help, kind: type, overWorkers: aggregator } = family;
  const values = family.kind === 'histogram' ? [...family.read()].flatMap((each) => bucketsOf(name, each)) : [];
  if (family.kind !== 'histogram') for (const sample of await family.read()) values.push({ ...sample });
  return { name, help, type, aggregator, values };
}

type Value = MetricDocument['values'][number];

function bucketsOf(name: string, { labels, distribution }: DistributionSample): Value[] {
  const { bounds, counts, sum } = distribution;
  let count = 0;
  const values: Value[] = [];
  for (const [at, inBucket] of counts.entries()) {
    count += inBucket;
    values.push({ metricName: `${name}_bucket`, labels: { ...labels, le: bounds[at] ?? '+Inf' }, value: count });
  }
  values.push({ metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: count });
  return values;
}
