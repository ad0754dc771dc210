import { Controller, Get } from '@nestjs/common';
import { knownQuery, presentTime } from '../../compute/registry-page';
import { INTEGER_TEXT, TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { queryFault } from '../../platform/values/field-fault';
import { NOT_A_PAST_TIME, pastTimeOf } from '../../platform/values/past-time';
import { ReportQuery } from '../report-query';
import { ENTRY, HISTORY, SAMPLE, TIMELINE } from './history.responses';
import { HistoryService } from './history.service';

const HOURS_DEFAULT = 24;
const HOURS_MAX = 168;
const HOUR_MS = 3_600_000;

@Controller('reports')
export class HistoryController {
  constructor(private readonly history: HistoryService) {}

  @Get('history')
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
      samples: samples.map(SAMPLE.present),
    };
  }

  @Get('timeline')
  @Operation('reportTimeline', 'Shows what changed since a time: hosts, refusals and use.', json(TIMELINE), {
    query: { since: TEXT, limit: INTEGER_TEXT },
  })
  @ClientFunction('reports.timeline')
  @Policy('berth:reports:timeline')
  async timeline(@Context() { queryText }: RequestContext): Promise<object> {
    const query = new ReportQuery(queryText, ['since', 'limit']);
    const nowMs = Date.now();
    const sinceMs = pastTimeOf(query.one('since') ?? 'yesterday', nowMs);
    if (sinceMs === undefined) throw queryFault('since', NOT_A_PAST_TIME);
    const { entries, leftOut } = await this.history.timeline(sinceMs, nowMs, query.limit());
    const [at, since] = [presentTime(nowMs), presentTime(sinceMs)];
    return { at, since, entries: entries.map(ENTRY.present), left_out: leftOut };
  }
}
