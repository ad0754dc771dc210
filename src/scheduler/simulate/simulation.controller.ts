import { Controller, Inject, Post } from '@nestjs/common';
import { refuseQuery } from '../../compute/registry-page';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { BodyLimit } from '../../platform/http/body-limit';
import { JsonBytes } from '../../platform/http/dto-body.decorator';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { ChangesNothing, Context, Policy, Weighed } from '../../platform/http/route.decorators';
import { SIMULATED } from '../scheduler.responses';
import type { Simulations } from './simulated-text';
import { SimulationDto } from './simulation.schema';

export const SIMULATIONS = Symbol('scheduler.Simulations');

@Controller()
export class SimulationController {
  constructor(@Inject(SIMULATIONS) private readonly simulations: Simulations) {}

  @Post('scheduler/simulate')
  @Operation('simulate', 'Decides on a described cloud instead of the real one.', json(SIMULATED), {
    body: SimulationDto,
  })
  @ClientFunction('scheduler.simulate')
  @Policy('berth:scheduler:simulate')
  @ChangesNothing()
  @Weighed()
  @BodyLimit(SCHEDULER_LIMITS.simulationBytes)
  async simulate(@JsonBytes() body: Uint8Array | undefined, @Context() caller: RequestContext): Promise<Answer> {
    refuseQuery(caller.queryText);
    const { buffer, byteOffset, length } = await this.simulations.answerTo(
      { body, requestId: caller.requestId },
      caller,
    );
    return ok(Buffer.from(buffer, byteOffset, length));
  }
}
