// The advice for operators.
import { Controller, Get } from '@nestjs/common';
import { presentTime, refuseQuery } from '../../compute/registry-page';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { ageSeconds } from '../age';
import { ADVICE } from './advice.responses';
import { AdviceService } from './advice.service';

@Controller('reports')
export class AdviceController {
  constructor(private readonly advice: AdviceService) {}

  @Get('advice')
  @Operation('reportAdvice', 'Lists problems and the commands that fix them.', json(ADVICE))
  @ClientFunction('reports.advice')
  @Policy('berth:reports:advice')
  async show(@Context() { queryText }: RequestContext): Promise<object> {
    refuseQuery(queryText);
    const { state, last } = await this.advice.newest(Date.now());
    const now = Date.now();
    return {
      at: presentTime(last?.factsAtMs ?? now),
      state,
      age_s: ageSeconds(last?.factsAtMs ?? null, now),
      advice: last?.advice ?? [],
      truncated: last?.isTruncated ?? false,
    };
  }
}
