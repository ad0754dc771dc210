// GET /metrics: the metrics of the process in the format of Prometheus. Without the API's prefix.
import { Controller, Get, Inject } from '@nestjs/common';
import { prometheusContentType } from 'prom-client';
import type { Answer } from '../http/answer';
import { Operation, textAnswer } from '../http/operation.decorator';
import { Policy } from '../http/route.decorators';
import { Metrics } from './metrics';

@Controller()
export class MetricsController {
  constructor(@Inject(Metrics) private readonly metrics: Metrics) {}

  @Get('metrics')
  @Operation(
    'showMetrics',
    'Returns the metrics of the service in the text format of Prometheus.',
    textAnswer(prometheusContentType),
  )
  @Policy('berth:operations:metrics', { isFreeOnLoopback: true })
  async show(): Promise<Answer> {
    return {
      status: 200,
      contentType: prometheusContentType,
      body: await this.metrics.text(),
    };
  }
}
