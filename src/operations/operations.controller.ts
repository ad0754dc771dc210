// Probes: is the process alive, and may it be sent requests? Free of authentication and of the API's prefix.
import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../http/answer';
import { GraphSource } from '../allocation-candidates/graph-source';
import { Database } from '../database/database';
import { Lifecycle } from './lifecycle';

@Controller()
export class OperationsController {
  constructor(
    private readonly db: Database,
    private readonly lifecycle: Lifecycle,
    private readonly graphs: GraphSource,
  ) {}

  @Get('healthz')
  health(): Answer {
    return { status: 200, body: { status: 'alive' } };
  }

  /** 200 once everything is loaded and while the database answers; 503 before, after, and while draining. */
  @Get('readyz')
  async ready(): Promise<Answer> {
    if (this.lifecycle.isDraining) return { status: 503, body: { status: 'draining' } };
    await this.db.read((sql) => sql.query('SELECT 1'));
    return { status: 200, body: { status: 'ready', graph: this.graphs.counts } };
  }
}
