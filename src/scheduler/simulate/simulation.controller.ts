import { Controller, Inject, Post } from '@nestjs/common';
import { SCHEDULER_LIMITS } from '../../config/limits';
import { ok } from '../../http/answer';
import type { Answer } from '../../http/answer';
import { BytesBody } from '../../http/body-bytes';
import { BodyLimit } from '../../http/body-limit';
import { JsonBytes } from '../../http/dto-body.decorator';
import type { RequestContext } from '../../http/request-context';
import { ChangesNothing, Context, Policy, Weighed } from '../../http/route.decorators';
import { refuseQuery } from '../../compute/registry-page';
import type { Simulations } from './simulated-text';
import { ClientFunction, Operation, json } from '../../http/operation.decorator';
import { SIMULATED } from '../scheduler.responses';
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
    return ok(new BytesBody(Buffer.from(buffer, byteOffset, length)));
  }
}
