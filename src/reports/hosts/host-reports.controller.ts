import { Controller, Get } from '@nestjs/common';
import { presentTime } from '../../compute/registry-page';
import { pageParameters } from '../../compute/registry.responses';
import { TEXT } from '../../http/answer-schemas';
import { Operation, json } from '../../http/operation.decorator';
import type { RequestContext } from '../../http/request-context';
import { Context, Policy } from '../../http/route.decorators';
import { InstanceCounts } from '../cloud/instance-counts';
import { ReportedCloud } from '../cloud/reported-cloud';
import { ReportQuery, pageBehind } from '../report-query';
import { HOST_LIST } from './host-reports.responses';
import { presentRow } from './host-rows';

const PARAMETERS = pageParameters({ name: TEXT });

@Controller('reports/hosts')
export class HostReportsController {
  constructor(
    private readonly cloud: ReportedCloud,
    private readonly counts: InstanceCounts,
  ) {}

  @Get()
  @Operation('listReportedHosts', 'Lists hosts with what they have, where they stand and how they are.', {
    answers: { 200: json(HOST_LIST) },
    query: PARAMETERS,
  })
  @Policy('berth:reports:hosts')
  async list(@Context() caller: RequestContext): Promise<object> {
    const query = new ReportQuery(caller.queryText, Object.keys(PARAMETERS));
    const name = query.one('name')?.toLowerCase() ?? '';
    const { atMs, hosts, graph } = await this.cloud.current(caller);
    const found = hosts.filter(({ tree }) => tree.root.name.toLowerCase().includes(name));
    const { page, next } = pageBehind(
      found,
      { limit: query.limit(), marker: query.uuid('marker') },
      ({ tree }) => tree.root.uuid,
    );
    await this.counts.read(page, { atMs, roots: graph.rootIds.length });
    return {
      at: presentTime(atMs),
      count: found.length,
      hosts: page.map((host) => presentRow(host, this.counts)),
      next_marker: next,
    };
  }
}
