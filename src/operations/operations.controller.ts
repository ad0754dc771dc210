// Probes: is the process alive, and may it be sent requests? Free of authentication and of the API's prefix.
import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../http/answer';
import { GraphSource } from '../allocation-candidates/graph-source';
import { HTTP_LIMITS } from '../config/limits';
import { DatabaseHealth } from '../database/database-health';
import { Lifecycle } from './lifecycle';

@Controller()
export class OperationsController {
  constructor(
    private readonly database: DatabaseHealth,
    private readonly lifecycle: Lifecycle,
    private readonly graphs: GraphSource,
  ) {}

  @Get('healthz')
  health(): Answer {
    return { status: 200, body: { status: 'alive' } };
  }

  /** 200 once everything is loaded and while the database reads and writes; 503 before, after, and while draining. */
  @Get('readyz')
  async ready(): Promise<Answer> {
    if (this.lifecycle.isDraining) return { status: 503, body: { status: 'draining' } };
    const { reads, writes } = await this.database.look();
    if (reads.works && writes.works) {
      return { status: 200, body: { status: 'ready', reads, writes, graph: this.graphs.counts } };
    }
    return {
      status: 503,
      headers: { 'retry-after': String(HTTP_LIMITS.retryAfterSeconds) },
      body: { status: 'unavailable', reads, writes },
    };
  }
}
