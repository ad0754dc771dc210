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

interface FamilyFacts {
  /** Named by the rules of Prometheus: the unit last, `_total` for counters. */
  readonly name: string;
  readonly help: string;
  /** Each label with a description of its values, whose number is bounded. */
  readonly labels?: Readonly<Record<string, string>>;
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

type Declared<F> = Omit<F, 'kind'>;

/** A value that only increases while the process runs. */
export const counter = (family: Declared<NumberFamily>): MetricFamily => ({ ...family, kind: 'counter' });

export const gauge = (family: Declared<NumberFamily>): MetricFamily => ({ ...family, kind: 'gauge' });

export const histogram = (family: Declared<HistogramFamily>): MetricFamily => ({ ...family, kind: 'histogram' });

/** One value without labels. */
export const one = (value: number): readonly Sample[] => [{ labels: {}, value }];
