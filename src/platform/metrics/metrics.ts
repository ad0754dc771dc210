// All metrics of one process in one prom-client registry, with values read during a scrape. If a source fails or
// exceeds its time limit, its family has no values and the failure is counted; all other families are returned.
import { setImmediate } from 'node:timers/promises';
import type { Metric } from 'prom-client';
import { Counter, Gauge, Registry } from 'prom-client';
import { within } from '../event-loop/within';
import type { WarnLog } from '../logging/logger.token';
import type { DistributionSample, MetricFamily } from './family';
import { counter, one } from './family';
import { processRegistry } from './process.metrics';

/** The time limit of one source; after it the family has no values. */
const READ_MS = 2_000;

export class Metrics {
  readonly families: readonly MetricFamily[];
  private readonly registry = new Registry();
  private failures = 0;
  /** Sources are read concurrently; each family is written in a turn of its own. */
  private lastTurn: Promise<void> = Promise.resolve();
  private running: Promise<Buffer> | undefined;

  constructor(
    families: readonly MetricFamily[],
    private readonly log: WarnLog,
  ) {
    const unread = counter({
      name: 'berth_metrics_unread_total',
      help: 'Families that were left out of an answer because their source failed or took too long.',
      read: () => one(this.failures),
    });
    this.families = [...families, unread];
    for (const family of this.families) this.register(family);
    // From now on, so the first scrape has values.
    processRegistry();
  }

  /** In the text format of Prometheus. Concurrent scrapes share one answer. Never throws. */
  text(): Promise<Buffer> {
    this.running ??= this.written().finally(() => (this.running = undefined));
    return this.running;
  }

  private async written(): Promise<Buffer> {
    return Buffer.from(`${await this.registry.metrics()}\n${await processRegistry().metrics()}`);
  }

  private register(family: MetricFamily): void {
    const read = <S>(source: () => Iterable<S> | Promise<Iterable<S>>): Promise<Iterable<S>> =>
      this.valuesOf(family.name, source);
    const { name, help } = family;
    if (family.kind === 'histogram') {
      // Its buckets are counted elsewhere, and the registry asks for nothing but their lines.
      const get = async (): Promise<object> => {
        const values = [...(await read(family.read))].flatMap((sample) => linesOf(name, sample));
        return { name, help, type: 'histogram', values };
      };
      this.registry.registerMetric({ name, get } as unknown as Metric);
      return;
    }
    const { labels = {} } = family;
    const settings = {
      name,
      help,
      labelNames: Object.keys(labels),
      registers: [this.registry],
    };
    // Reset and set without an await in between: collections can overlap.
    if (family.kind === 'counter')
      new Counter({
        ...settings,
        async collect() {
          const values = await read(family.read);
          this.reset();
          for (const { labels, value } of values) this.inc(labels, value);
        },
      });
    else
      new Gauge({
        ...settings,
        async collect() {
          const values = await read(family.read);
          this.reset();
          // Without labels a reset gauge is 0, not absent.
          if (family.labels === undefined) this.remove();
          for (const { labels, value } of values) this.set(labels, value);
        },
      });
  }

  private async valuesOf<S>(metric: string, read: () => Iterable<S> | Promise<Iterable<S>>): Promise<Iterable<S>> {
    try {
      const values = await within(READ_MS, Promise.resolve().then(read), () => {
        throw new Error('its source took too long');
      });
      await (this.lastTurn = this.lastTurn.then(() => setImmediate()));
      return values;
    } catch (error) {
      this.failures += 1;
      this.log.warn({ metric, reason: (error as Error).message }, 'a metric could not be read');
      return [];
    }
  }
}

function linesOf(name: string, { labels, distribution: { bounds, counts, sum } }: DistributionSample): object[] {
  let count = 0;
  const buckets = Array.from(counts, (inBucket, at) => {
    count += inBucket;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[at] ?? '+Inf' }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
