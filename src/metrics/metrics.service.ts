// Answers for the whole service: this process, or all workers. Collections that come at the same time share one.
import cluster from 'node:cluster';
import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Metrics } from './metrics';
import { metricsText } from './metrics-text';
import { watchProcess } from './process.metrics';
import { WorkerMetrics } from './worker-metrics';

@Injectable()
export class MetricsService implements OnModuleInit, OnModuleDestroy {
  private readonly workers: WorkerMetrics | undefined;
  private running: Promise<string> | undefined;

  constructor(@Inject(Metrics) private readonly metrics: Metrics) {
    this.workers = cluster.isWorker ? new WorkerMetrics(() => metrics.documents()) : undefined;
  }

  onModuleInit(): void {
    watchProcess();
  }

  onModuleDestroy(): void {
    this.workers?.close();
  }

  /** In the text format of Prometheus. */
  text(): Promise<string> {
    this.running ??= this.collect().finally(() => (this.running = undefined));
    return this.running;
  }

  private async collect(): Promise<string> {
    return metricsText(this.workers === undefined ? [await this.metrics.documents()] : await this.workers.gather());
  }
}
