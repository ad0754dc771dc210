// Answers for the whole service: this process, or all workers; of this one alone when nobody is heard of in time. Collections that come at the same time share one.
import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { METRICS_LIMITS } from '../config/limits';
import { WorkerChannel } from '../operations/worker-channel';
import { turns } from '../turns/turns';
import type { MetricDocument } from './family';
import { Metrics } from './metrics';
import { metricsText } from './metrics-text';
import { watchProcess } from './process.metrics';

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
    const { answers } = await this.workers.ask(QUESTION, METRICS_LIMITS.workersMs);
    const documents = answers.map(({ value }) => value as readonly MetricDocument[]);
    return turns.runThrough(metricsText(documents.length > 0 ? documents : [await this.metrics.documents()]));
  }
}
