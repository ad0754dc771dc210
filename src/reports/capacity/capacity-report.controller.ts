import { Controller, Get } from '@nestjs/common';
import { pageParameters } from '../../compute/registry.responses';
import { TEXT, oneOf } from '../../http/answer-schemas';
import { Operation, json } from '../../http/operation.decorator';
import type { RequestContext } from '../../http/request-context';
import { Context, Policy } from '../../http/route.decorators';
import { REPEATED } from '../../http/schema-validator';
import { turns } from '../../turns/turns';
import { InstanceCounts } from '../cloud/instance-counts';
import { KnownNames } from '../cloud/known-names';
import { ReportedCloud } from '../cloud/reported-cloud';
import type { CloudHost } from '../cloud/reported-cloud';
import { ReportQuery, pageBehind } from '../report-query';
import { GROUPINGS, capacityGroups } from './capacity-groups';
import { presentCapacityReport } from './capacity-report.presenter';
import { CAPACITY_REPORT } from './capacity-report.responses';
import { StrandedCapacity } from './stranded-capacity';

const PARAMETERS = pageParameters({
  group_by: oneOf(...GROUPINGS),
  resource_class: { ...TEXT, [REPEATED]: true, description: 'These classes only.' },
  flavor: {
    ...TEXT,
    [REPEATED]: true,
    description: 'Stranded is what these flavors cannot use; else all registered ones.',
  },
});

@Controller('reports/capacity')
export class CapacityReportController {
  constructor(
    private readonly cloud: ReportedCloud,
    private readonly counts: InstanceCounts,
    private readonly names: KnownNames,
    private readonly stranded: StrandedCapacity,
  ) {}

  @Get()
  @Operation(
    'reportCapacity',
    'Shows what the cloud has, uses and has left, by resource class and by groups of hosts.',
    {
      answers: { 200: json(CAPACITY_REPORT) },
      query: PARAMETERS,
    },
  )
  @Policy('berth:reports:capacity')
  async show(@Context() caller: RequestContext): Promise<object> {
    const query = new ReportQuery(caller.queryText, Object.keys(PARAMETERS));
    const grouping = query.choice('group_by', GROUPINGS) ?? 'total';
    const [classes, flavors] = [query.all('resource_class'), query.all('flavor')];
    const asked = { limit: query.limit(), marker: query.one('marker') };
    const stranded = await this.stranded.newest(flavors);
    const cloud = await this.cloud.current(caller);
    await this.names.checkClasses(cloud.graph, 'resource_class', classes);
    await this.counts.read(cloud.hosts, { atMs: cloud.atMs, roots: cloud.graph.rootIds.length });
    const instancesOf = (host: CloudHost): number => this.counts.of(host);
    const groups = await turns.run(capacityGroups(cloud, grouping, new Set(classes), instancesOf), caller);
    const { page, next } = pageBehind(groups, asked, ({ key }) => key ?? NO_KEY);
    return turns.run(presentCapacityReport({ atMs: cloud.atMs, grouping, groups: page, stranded, next }), caller);
  }
}

/** The group without a key is the last one, so nothing is ever behind it. */
const NO_KEY = '';
