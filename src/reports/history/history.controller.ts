import { Controller, Get } from '@nestjs/common';
import { knownQuery, presentTime } from '../../compute/registry-page';
import { INTEGER_TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { HISTORY } from './history.responses';
import { HistoryService } from './history.service';

const HOURS_DEFAULT = 24;
const HOURS_MAX = 168;
const HOUR_MS = 3_600_000;

@Controller('reports/history')
export class HistoryController {
  constructor(private readonly history: HistoryService) {}

  @Get()
  @Operation('reportHistory', 'Shows use, refusals and decisions over the last hours.', json(HISTORY), {
    query: { hours: INTEGER_TEXT },
  })
  @ClientFunction('reports.history')
  @Policy('berth:reports:history')
  async show(@Context() { queryText }: RequestContext): Promise<object> {
    const hours = knownQuery(queryText, ['hours']).amount('hours', HOURS_MAX) ?? HOURS_DEFAULT;
    const nowMs = Date.now();
    const samples = await this.history.since(hours, nowMs);
    return {
      at: presentTime(nowMs),
      when_full: await this.history.forecasts(nowMs),
      since: presentTime(nowMs - hours * HOUR_MS),
      samples: samples.map(({ sampledAtMs, placed, refused, document }) => ({
        at: presentTime(sampledAtMs),
        placed,
        refused,
        hosts: document.hosts,
        hosts_usable: document.usable,
        instances: document.instances,
        resource_classes: document.classes,
      })),
    };
  }
}
