// Answers for the whole service: this process, or all workers; of this process alone if no worker answers in time. Scrapes that
// come at the same time share one answer.
import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { AggregatorRegistry } from 'prom-client';
import { WorkerChannel } from '../operations/worker-channel';
import { Metrics } from './metrics';
import type { MetricDocuments } from './metrics';
import { watchProcess } from './process.metrics';

/** Workers have so long to hand in their numbers; those that are silent are left out. */
const WORKERS_MS = 3_000;

const QUESTION = 'metrics';

@Injectable()
export class MetricsService implements OnModuleInit {
  private running: Promise<string> | undefined;

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
  text(): Promise<string> {
    this.running ??= this.collect().finally(() => (this.running = undefined));
    return this.running;
  }

  private async collect(): Promise<string> {
    const { answers } = await this.workers.ask(QUESTION, WORKERS_MS);
    const processes = answers.map(({ value }) => value as MetricDocuments);
    return textOf(processes.length > 0 ? processes : [await this.metrics.documents()]);
  }
}

/** One text for all processes. Other requests have their turn between families, of which one can have thousands of lines. */
export async function textOf(processes: readonly MetricDocuments[]): Promise<string> {
  const names = new Set(processes.flat().map(({ name }) => name));
  let text = '';
  for (const name of names) {
    const family = AggregatorRegistry.aggregate(processes.map((own) => own.filter((metric) => metric.name === name)));
    await setImmediate();
    text += await family.metrics();
    await setImmediate();
  }
  return text;
}
