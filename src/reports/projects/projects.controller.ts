import { Controller, Get, Param } from '@nestjs/common';
import { presentTime } from '../../compute/registry-page';
import { pageIn } from '../../compute/registry-page.sql';
import { pageParameters } from '../../compute/registry.responses';
import { byName, COUNT, FLAG, listOf, NUMBER, orNull, TEXT, TIME } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { schemasOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { ROOT } from '../capacity/capacity-report.presenter';
import { CONSUMER } from '../hosts/host-detail.presenter';
import { ReportQuery } from '../report-query';
import { ProjectsService } from './projects.service';

const SORT = { ...TEXT, description: 'A class: largest use of it first. Default: largest share of any class.' };
const PARAMETERS = pageParameters({ search: { ...TEXT, description: 'Part of the id.' }, sort: SORT });

const USE = named('UseOfProject', closed({ used: COUNT, capacity: COUNT, share: NUMBER }));
const ROW = { project_id: TEXT, instances: COUNT, resource_classes: byName(USE) };
const PROJECTS = named(
  'ReportedProjects',
  closed({ at: TIME, count: COUNT, projects: listOf(named('ListedProject', closed(ROW))), next_marker: orNull(TEXT) }),
);
const CONSUMERS = listOf(named('ConsumerOfProject', closed({ ...schemasOf(CONSUMER), hosts: listOf(ROOT) })));
const PROJECT = named(
  'ReportedProject',
  closed({ at: TIME, ...ROW, sorted_by: TEXT, consumers: CONSUMERS, consumers_truncated: FLAG }),
);

@Controller('reports/projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Get()
  @Operation('listReportedProjects', 'Lists projects with their use and its share of the cloud.', json(PROJECTS), {
    query: PARAMETERS,
  })
  @ClientFunction('reports.projects.list')
  @Policy('berth:reports:projects')
  async list(@Context() caller: RequestContext): Promise<object> {
    const query = new ReportQuery(caller.queryText, Object.keys(PARAMETERS));
    const asked = { limit: query.limit(), marker: query.one('marker') };
    const part = query.one('search')?.toLowerCase() ?? '';
    const all = await this.projects.list(query.one('sort'), caller);
    const found = all.filter(({ project_id: id }) => id.toLowerCase().includes(part));
    const { items, next } = pageIn(found, ({ project_id: id }) => id, asked);
    return { at: presentTime(Date.now()), count: found.length, projects: items, next_marker: next };
  }

  @Get(':id')
  @Operation('showReportedProject', 'Shows the use of a project and its largest consumers.', json(PROJECT), {
    query: { sort: SORT },
  })
  @ClientFunction('reports.projects.get')
  @Policy('berth:reports:projects')
  async show(@Param('id') id: string, @Context() caller: RequestContext): Promise<object> {
    const sort = new ReportQuery(caller.queryText, ['sort']).one('sort');
    return { at: presentTime(Date.now()), ...(await this.projects.get(id, sort, caller)) };
  }
}
