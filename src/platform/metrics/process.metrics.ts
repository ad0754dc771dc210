// The process: what was built, and what Node says of memory, garbage collection and the event loop.
import { Registry, collectDefaultMetrics } from 'prom-client';
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

/** The process is one, whichever service of it is asked; watching it begins with the first. */
let watched: Registry | undefined;

function processRegistry(): Registry {
  if (watched === undefined) {
    watched = new Registry();
    collectDefaultMetrics({ register: watched });
  }
  return watched;
}

/** Begins to watch the event loop, so that the first scrape has its figures. */
export const watchProcess = (): void => void processRegistry();

/** What the library reads of Node. Of several workers the largest lag counts: an average would hide the slow worker. */
export async function processMetrics(): ReturnType<Registry['getMetricsAsJSON']> {
  const read = await processRegistry().getMetricsAsJSON();
  return read.map((metric) => (/eventloop_lag/.test(metric.name) ? { ...metric, aggregator: 'max' } : metric));
}
