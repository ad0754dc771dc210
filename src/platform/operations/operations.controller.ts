// Liveness and readiness probes. Without authentication and without the API's prefix.
import { Controller, Get, Optional } from '@nestjs/common';
import { Authenticator } from '../auth/principal';
import { HTTP_LIMITS } from '../config/limits/http';
import { DatabaseHealth } from '../database/database-health';
import type { Answer } from '../http/answer';
import { json, Operation } from '../http/operation.decorator';
import { Public } from '../http/route.decorators';
import { BrokerHealth } from './broker-health';
import { Lifecycle } from './lifecycle';
import { LoadedGraph } from './loaded-graph';
import { LIVENESS, READINESS } from './operations.responses';

/** The state of one process; the other members are the reasons. */
interface Readiness {
  readonly status: 'ready' | 'unavailable' | 'draining';
  readonly [reason: string]: unknown;
}

@Controller()
export class OperationsController {
  constructor(
    private readonly database: DatabaseHealth,
    private readonly lifecycle: Lifecycle,
    private readonly graph: LoadedGraph,
    private readonly authenticator: Authenticator,
    @Optional() private readonly broker?: BrokerHealth,
  ) {}

  @Get('healthz')
  @Operation('showLiveness', 'Checks that the process is alive.', json(LIVENESS))
  @Public()
  health(): Answer {
    return { status: 200, body: { status: 'alive' } };
  }

  /**
   * 200 once everything is loaded and while the database accepts reads and writes; 503 before and after that, and while
   * draining. Without the Identity service: 200 if callers with other credentials are configured. Without the message
   * broker: 200 unless the process takes the place of nova-scheduler and nothing else.
   */
  @Get('readyz')
  @Operation('showReadiness', 'Checks whether the service accepts requests.', {
    200: json(READINESS),
    503: json(READINESS),
  })
  @Public()
  async ready(): Promise<Answer> {
    return answerOf(await this.readiness());
  }

  private async readiness(): Promise<Readiness> {
    if (this.lifecycle.isDraining) return { status: 'draining' };
    const [{ reads, writes }, callers] = await Promise.all([this.database.look(), this.authenticator.health()]);
    const identity = callers && { works: callers.works, ...(callers.reason && { reason: callers.reason }) };
    const broker = this.broker?.health;
    const hasBroker = broker?.works !== false || this.broker?.isNeeded !== true;
    const isReady = reads.works && writes.works && callers?.servesKnown !== false && hasBroker;
    const details = {
      reads,
      writes,
      ...(identity && { identity }),
      ...(broker && { broker }),
      ...(isReady && { graph: this.graph.counts }),
    };
    return { status: isReady ? 'ready' : 'unavailable', ...details };
  }
}

function answerOf(body: Readiness): Answer {
  if (body.status === 'ready') return { status: 200, body };
  const headers = { 'retry-after': String(HTTP_LIMITS.retryAfterSeconds) };
  return { status: 503, ...(body.status === 'unavailable' && { headers }), body };
}
