// Metrics of the whole service: of this process or of all workers; of this process alone if no worker answers in time.
// Concurrent scrapes share one answer.
import { setImmediate } from 'node:timers/promises';
import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { AggregatorRegistry } from 'prom-client';
import { WorkerChannel } from '../operations/worker-channel';
import type { MetricDocuments } from './metrics';
import { Metrics } from './metrics';
import { watchProcess } from './process.metrics';

/** The time limit for workers to send their metrics; late workers are left out. */
const WORKERS_MS = 3_000;

const QUESTION = 'metrics';

@Injectable()
export class MetricsService implements OnModuleInit {
  private running: Promise<Buffer> | undefined;

  constructor(
    @Inject(Metrics) private readonly metrics: Metrics,
    private readonly workers: WorkerChannel,
  ) {
    workers.answer(QUESTION, () => metrics.documents());
  }

  onModuleInit(): void {
    watchProcess();
  }

  /** In the text format of Prometheus. */
  text(): Promise<Buffer> {
    this.running ??= this.collect().finally(() => (this.running = undefined));
    return this.running;
  }

  private async collect(): Promise<Buffer> {
    const { answers } = await this.workers.ask(QUESTION, WORKERS_MS);
    const processes = answers.map(({ value }) => value as MetricDocuments);
    return textOf(processes.length > 0 ? processes : [await this.metrics.documents()]);
  }
}

/** Lines written between two yields: about 2 ms. */
const LINES_PER_STEP = 500;
/** The help and type lines of a family, written once. */
const HEAD = /^# HELP .*\n# TYPE .*\n/;

/** One text for all processes. Yields within a family, too, which can have thousands of lines. */
export async function textOf(processes: readonly MetricDocuments[]): Promise<Buffer> {
  const names = new Set(processes.flat().map(({ name }) => name));
  // One long text would be built and encoded in one step: 40 ms for 1.8 MB.
  const parts: Buffer[] = [];
  for (const name of names) {
    const own = processes.map((metrics) => metrics.filter((metric) => metric.name === name));
    const [family] = own.length === 1 ? (own[0] ?? []) : await AggregatorRegistry.aggregate(own).getMetricsAsJSON();
    if (family === undefined) continue;
    await setImmediate();
    for (let at = 0; at === 0 || at < family.values.length; at += LINES_PER_STEP) {
      const part = { ...family, values: family.values.slice(at, at + LINES_PER_STEP) };
      const lines = await AggregatorRegistry.aggregate([[part]]).metrics();
      parts.push(Buffer.from(at === 0 ? lines : lines.replace(HEAD, '')));
      await setImmediate();
    }
  }
  return Buffer.concat(parts);
}
