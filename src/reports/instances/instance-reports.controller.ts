import { Controller, Get } from '@nestjs/common';
import { presentTime } from '../../compute/registry-page';
import { pageParameters } from '../../compute/registry.responses';
import { oneOf, TEXT, UUID_TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { ReportQuery } from '../report-query';
import { InstanceListService } from './instance-list.service';
import { INSTANCE_LIST, ROW } from './instance-reports.responses';

const PARAMETERS = pageParameters({
  search: { type: 'string', description: 'Part of the name, or the first 8 or more digits of the uuid.' },
  host: { ...TEXT, description: 'Name of the service host.' },
  project_id: TEXT,
  flavor: { type: 'string', description: 'Name or id.' },
  server_group: UUID_TEXT,
  with: {
    ...oneOf('count'),
    description: 'Shows how many instances match on all pages, unless it is a search for a name or uuid.',
  },
});

/** Rows of one page: each costs several look-ups. */
const PAGE_MAX = 1_000;
const PAGE_DEFAULT = 200;

@Controller('reports/instances')
export class InstanceReportsController {
  constructor(private readonly lists: InstanceListService) {}

  @Get()
  @Operation(
    'listReportedInstances',
    'Lists the instances that Berth placed, newest first; by name if only a part of the name is given.',
    json(INSTANCE_LIST),
    { query: PARAMETERS },
  )
  @ClientFunction('reports.instances.list')
  @Policy('berth:reports:instances')
  async list(@Context() { queryText }: RequestContext): Promise<object> {
    const query = new ReportQuery(queryText, Object.keys(PARAMETERS));
    const { instances, count, next } = await this.lists.page({
      search: query.one('search'),
      host: query.one('host'),
      projectId: query.one('project_id'),
      flavor: query.one('flavor'),
      groupUuid: query.uuid('server_group'),
      withCount: query.choice('with', ['count']) !== undefined,
      limit: query.limit({ default: PAGE_DEFAULT, most: PAGE_MAX }),
      marker: query.uuid('marker'),
    });
    return { at: presentTime(Date.now()), instances: instances.map(ROW.present), count, next_marker: next };
  }
}
