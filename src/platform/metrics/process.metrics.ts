// Metrics of the process: the build, and Node's memory, garbage collection and event loop.
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { MetricFamily } from './family';
import { gauge } from './family';

interface BuildFacts {
  readonly version: string;
  readonly database: string;
}

export const buildMetrics = ({ version, database }: BuildFacts): readonly MetricFamily[] => [
  gauge({
    name: 'berth_build_info',
    help: 'Always 1. The labels say what runs.',
    labels: { version: 'of Berth', node: 'the version of Node', database: '`sqlite` or `mysql`' },
    read: () => [{ labels: { version, node: process.version, database }, value: 1 }],
  }),
];

let watched: Registry | undefined;

/** Node's metrics from the library. One registry per process; the first use starts to monitor the event loop. */
export function processRegistry(): Registry {
  if (watched === undefined) {
    watched = new Registry();
    collectDefaultMetrics({ register: watched });
  }
  return watched;
}
