// Declares a metric family: name, help text, labels, and the source of its values, which a scrape reads. The parts of
// the service count with plain additions; no code here runs during a request.
import type { Distribution } from '../values/counters';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** One value, or one per set of labels. A histogram has a distribution instead. */
export interface DistributionSample {
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

export interface HistogramFamily extends FamilyFacts {
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
