import { Controller, Get, Param } from '@nestjs/common';
import { refuseQuery } from '../../compute/registry-page';
import { pageParameters } from '../../compute/registry.responses';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { oneOf, TEXT, UUID_TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { REPEATED } from '../../platform/http/schema-validator';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import { InstanceCounts } from '../cloud/instance-counts';
import { ReportQuery } from '../report-query';
import { HOST_DETAIL, presentHostDetail } from './host-detail.presenter';
import { HostDetailService } from './host-detail.service';
import { hostFilterOf } from './host-filter';
import { HostListService } from './host-list.service';
import { hostOrderOf } from './host-order';
import { HOST_LIST, hostPageBody } from './host-rows';

const PARAMETERS = pageParameters({
  sort: {
    type: 'string',
    description:
      'name, status, instances, zone, used:CLASS, free:CLASS, use:CLASS, stranded:CLASS; a leading `-` sorts descending.',
  },
  name: { type: 'string', description: 'Part of the name.' },
  trait: { ...TEXT, [REPEATED]: true, description: 'A provider of the tree has it; with a leading `!`, none has.' },
  host_aggregate: { type: 'string', description: 'Name or uuid.' },
  placement_aggregate: UUID_TEXT,
  availability_zone: { type: 'string', description: 'Empty: in none.' },
  resource_class: TEXT,
  status: { ...oneOf(...HOST_STATUSES), [REPEATED]: true },
  flavor: { type: 'string', description: 'Name or id: hosts that have room for one more.' },
  stranded: { type: 'string', description: 'A resource class: hosts with a stranded amount of it.' },
  with: { ...oneOf('stranded'), description: 'Shows the stranded amounts of each host, if they are known.' },
});

@Controller('reports/hosts')
export class HostReportsController {
  constructor(
    private readonly lists: HostListService,
    private readonly details: HostDetailService,
    private readonly counts: InstanceCounts,
  ) {}

  @Get()
  @Operation('listReportedHosts', 'Lists hosts with inventories, location and status.', json(HOST_LIST), {
    query: PARAMETERS,
  })
  @ClientFunction('reports.hosts.list')
  @Policy('berth:reports:hosts')
  async list(@Context() caller: RequestContext): Promise<Answer> {
    const query = new ReportQuery(caller.queryText, Object.keys(PARAMETERS));
    const filter = hostFilterOf(query);
    const order = hostOrderOf(query.one('sort'));
    const withStranded = query.choice('with', ['stranded']) !== undefined;
    const asked = { filter, order, withStranded, limit: query.limit(), marker: query.uuid('marker') };
    return ok(hostPageBody(await this.lists.list(asked, caller), this.counts));
  }

  @Get(':uuid')
  @Operation(
    'showReportedHost',
    'Shows the host of a provider: tree, consumers, last decisions, and fitting flavors.',
    json(HOST_DETAIL),
  )
  @ClientFunction('reports.hosts.get')
  @Policy('berth:reports:hosts')
  async show(@Param('uuid') uuid: string, @Context() caller: RequestContext): Promise<object> {
    refuseQuery(caller.queryText);
    return presentHostDetail(await this.details.get(uuid, caller), this.counts);
  }
}
