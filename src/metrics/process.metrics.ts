// The process: what was built, and what Node says of memory, garbage collection and the event loop.
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { MetricDocument } from './family';
import { gauge } from './family';
import type { MetricFamily } from './family';

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

/** What the library reads of Node and the system. */
export async function processDocuments(): Promise<readonly MetricDocument[]> {
  const documents = await processRegistry().getMetricsAsJSON();
  return documents.map(({ name, help, type, aggregator, values }) => ({
    ...{ name, help, type: String(type), values },
    aggregator: overWorkers(name, aggregator),
  }));
}
