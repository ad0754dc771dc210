import { Controller, Get } from '@nestjs/common';
import { pageParameters } from '../../compute/registry.responses';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { oneOf, TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { REPEATED } from '../../platform/http/schema-validator';
import { GROUPINGS } from '../../scheduler/cloud/group-sums';
import { ReportQuery } from '../report-query';
import { CAPACITY_REPORT, capacityReportBody } from './capacity-report.presenter';
import { CapacityReportService } from './capacity-report.service';

const PARAMETERS = pageParameters({
  group_by: oneOf(...GROUPINGS),
  resource_class: { ...TEXT, [REPEATED]: true, description: 'These classes only.' },
  flavor: {
    ...TEXT,
    [REPEATED]: true,
    description: 'Stranded: what these flavors cannot use. Default: all registered flavors.',
  },
});

@Controller('reports/capacity')
export class CapacityReportController {
  constructor(private readonly capacity: CapacityReportService) {}

  @Get()
  @Operation(
    'reportCapacity',
    'Shows what the cloud has, uses and has left, by resource class and by groups of hosts.',
    json(CAPACITY_REPORT),
    { query: PARAMETERS },
  )
  @ClientFunction('reports.capacity')
  @Policy('berth:reports:capacity')
  async show(@Context() caller: RequestContext): Promise<Answer> {
    const query = new ReportQuery(caller.queryText, Object.keys(PARAMETERS));
    const asked = {
      grouping: query.choice('group_by', GROUPINGS) ?? 'total',
      classes: query.all('resource_class'),
      flavors: query.all('flavor'),
      limit: query.limit(),
      marker: query.one('marker'),
    };
    return ok(capacityReportBody(await this.capacity.page(asked, caller)));
  }
}
