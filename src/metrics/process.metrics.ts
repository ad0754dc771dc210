// The process: what was built, and what Node says of memory, garbage collection and the event loop.
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { MetricValue } from 'prom-client';
import { gauge, seriesOf } from './family';
import type { MetricDocument, MetricFamily, OverWorkers } from './family';

interface BuildFacts {
  readonly version: string;
  readonly database: string;
}

export const buildMetrics = ({ version, database }: BuildFacts): readonly MetricFamily[] => [
  gauge('first', {
    name: 'berth_build_info',
    help: 'Always 1; what runs.',
    labels: { version: 'of Berth', node: 'the version of Node', database: '`sqlite` or `mysql`' },
    read: () => [{ labels: { version, node: process.version, database }, value: 1 }],
  }),
];

/** The process is one, whoever asks about it; watching it begins with the first question. */
let watched: Registry | undefined;

function processRegistry(): Registry {
  if (watched === undefined) {
    watched = new Registry();
    collectDefaultMetrics({ register: watched });
  }
  return watched;
}

/** Begins to watch the event loop, so that the first collection has something to say. */
export const watchProcess = (): void => void processRegistry();

/** Of several workers the worst counts: an average would hide the one that is held up. */
const overWorkers = (name: string, given: string): string => (/eventloop_lag/.test(name) ? 'max' : given);

const isOverWorkers = (how: string): how is OverWorkers => how === 'sum' || how === 'max' || how === 'first';

/** What the library reads of Node and the system, but for what it leaves out where there may be several workers. */
export async function processDocuments(): Promise<readonly MetricDocument[]> {
  const read = await processRegistry().getMetricsAsJSON();
  return read.flatMap(({ name, help, type, aggregator, values: given }) => {
    const how = overWorkers(name, aggregator);
    if (!isOverWorkers(how)) return [];
    const series = given.map(({ metricName, labels }: ProcessValue) => seriesOf(metricName ?? name, labels));
    return [{ name, help, type: String(type), overWorkers: how, series, values: given.map(({ value }) => value) }];
  });
}

/** A histogram's lines have names of their own, which the library's types do not tell. */
type ProcessValue = MetricValue<string> & { readonly metricName?: string };
