import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ok } from '../../http/answer';
import type { Answer } from '../../http/answer';
import { JsonBytes } from '../../http/dto-body.decorator';
import type { RequestContext } from '../../http/request-context';
import { Context, Policy } from '../../http/route.decorators';
import { refuseQuery } from '../registries/registry-page';
import type { Simulations } from './simulated-text';

export const SIMULATIONS = Symbol('scheduler.Simulations');

@Controller()
export class SimulationController {
  constructor(@Inject(SIMULATIONS) private readonly simulations: Simulations) {}

  @Post('scheduler/simulate')
  @HttpCode(200)
  @Policy('berth:scheduler:simulate')
  async simulate(@JsonBytes() body: Uint8Array | undefined, @Context() caller: RequestContext): Promise<Answer> {
    refuseQuery(caller.queryText);
    return ok(await this.simulations.answerTo({ body, requestId: caller.requestId }, caller));
  }
}
