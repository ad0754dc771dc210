import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { created, noContent, ok, pathOf } from '../../platform/http/answer';
import { FLAG_TEXT, oneOf, TEXT, UUID_TEXT } from '../../platform/http/answer-schemas';
import { DtoBody } from '../../platform/http/dto-body.decorator';
import { ClientFunction, json, located, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Audited, Context, Policy } from '../../platform/http/route.decorators';
import { RegistriesConfig } from '../registries.config';
import { listQueryOf, presentPage, refuseQuery } from '../registry-page';
import { nameInPath } from '../registry-path';
import { pageParameters, pageSchemaOf } from '../registry.responses';
import { serviceFilterOf } from '../services/service-filter';
import { SERVICE_STATES, SERVICE_STATUSES } from '../services/service-liveness';
import { presentHost } from './hosts.presenter';
import { HOST, REPORTED } from './hosts.responses';
import { HostReportDto } from './hosts.schema';
import { HostsService } from './hosts.service';

const FILTERS = {
  host: TEXT,
  node: TEXT,
  uuid: UUID_TEXT,
  cell: TEXT,
  status: oneOf(...SERVICE_STATUSES),
  state: oneOf(...SERVICE_STATES),
  zone: TEXT,
  long: FLAG_TEXT,
};

@Controller('scheduler/hosts')
export class HostsController {
  constructor(
    private readonly hosts: HostsService,
    private readonly config: RegistriesConfig,
  ) {}

  @Get()
  @Operation('listHosts', 'Lists compute hosts with what they reported.', json(pageSchemaOf('Hosts', 'hosts', HOST)), {
    query: pageParameters(FILTERS),
  })
  @ClientFunction('hosts.list')
  @Policy('berth:scheduler:hosts:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const query = listQueryOf(queryText, Object.keys(FILTERS));
    const nowMs = Date.now();
    const service = serviceFilterOf(query, this.config, nowMs);
    const isLong = query.filters.boolean('long') ?? false;
    const filter = {
      ...service,
      node: query.filters.last('node'),
      uuid: query.filters.uuid('uuid'),
      cell: query.filters.last('cell'),
    };
    const page = await this.hosts.list(filter, query);
    return ok(presentPage('hosts', page, (host) => presentHost(host, this.config, nowMs, { isLong })));
  }

  @Get(':host/:node')
  @Operation('showHost', 'Shows a compute host with its last report.', json(HOST))
  @ClientFunction('hosts.get')
  @Policy('berth:scheduler:hosts:show')
  async show(
    @Param('host') host: string,
    @Param('node') node: string,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    return ok(presentHost(await this.hosts.get(host, node), this.config, Date.now(), { isLong: true }));
  }

  @Put(':host/:node')
  @Operation('reportHost', 'Takes the report of a compute host, which is its heartbeat.', {
    200: json(REPORTED.schema),
    201: located(json(REPORTED.schema)),
  })
  @ClientFunction('hosts.report', { isRepeatable: true })
  @Policy('berth:scheduler:hosts:update')
  @Audited('update/report', 'scheduler/host', [], { isReport: true })
  async report(
    @Param('host') host: string,
    @Param('node') node: string,
    @DtoBody(HostReportDto) body: HostReportDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const place = { host: nameInPath('host', host), node: nameInPath('node', node) };
    const reported = await this.hosts.report({ ...place, body });
    const document = REPORTED.present({ ...place, ...reported });
    return reported.isNew ? created(pathOf('scheduler', 'hosts', place.host, place.node), document) : ok(document);
  }

  @Delete(':host/:node')
  @Operation('deleteHost', 'Forgets a compute host.', NOTHING)
  @ClientFunction('hosts.delete')
  @Policy('berth:scheduler:hosts:delete')
  @Audited('delete', 'scheduler/host')
  async remove(
    @Param('host') host: string,
    @Param('node') node: string,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    await this.hosts.remove(host, node);
    return noContent();
  }
}
