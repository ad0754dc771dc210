// Why decisions of the last hours placed nothing.
import { Controller, Get } from '@nestjs/common';
import { knownQuery, presentTime } from '../../compute/registry-page';
import { INTEGER_TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { REFUSALS } from './refusals.responses';
import { RefusalsService } from './refusals.service';

const HOURS_MAX = 168;

const HOUR_MS = 3_600_000;

@Controller('reports')
export class RefusalsController {
  constructor(private readonly refusals: RefusalsService) {}

  @Get('refusals')
  @Operation('reportRefusals', 'Shows why decisions of the last hours placed nothing.', json(REFUSALS), {
    query: { hours: INTEGER_TEXT },
  })
  @ClientFunction('reports.refusals')
  @Policy('berth:reports:refusals')
  async since(@Context() request: RequestContext): Promise<object> {
    const hours = knownQuery(request.queryText, ['hours']).amount('hours', HOURS_MAX) ?? 1;
    const now = Date.now();
    const sinceMs = now - hours * HOUR_MS;
    const { placed, refused, reasons, isTruncated } = await this.refusals.since(sinceMs, request);
    return {
      at: presentTime(now),
      since: presentTime(sinceMs),
      decisions: placed + refused,
      placed,
      refused,
      reasons,
      truncated: isTruncated,
    };
  }
}
