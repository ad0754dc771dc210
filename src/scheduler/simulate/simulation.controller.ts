import { Controller, HttpCode, Post } from '@nestjs/common';
import { DtoBody } from '../../http/dto-body.decorator';
import type { RequestContext } from '../../http/request-context';
import { Context, Policy } from '../../http/route.decorators';
import { refuseQuery } from '../registries/registry-page';
import { SimulationDto } from './simulation.schema';
import { SimulationService } from './simulation.service';

@Controller()
export class SimulationController {
  constructor(private readonly simulations: SimulationService) {}

  @Post('scheduler/simulate')
  @HttpCode(200)
  @Policy('berth:scheduler:simulate')
  simulate(
    @DtoBody(SimulationDto) document: SimulationDto,
    @Context() { requestId, queryText }: RequestContext,
  ): Promise<object> {
    refuseQuery(queryText);
    return this.simulations.simulate(document, requestId);
  }
}
