import { Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { noContent, ok } from '../../platform/http/answer';
import { FLAG_TEXT, oneOf, TEXT } from '../../platform/http/answer-schemas';
import { DtoBody } from '../../platform/http/dto-body.decorator';
import { ClientFunction, json, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Audited, Context, Policy } from '../../platform/http/route.decorators';
import { RegistriesConfig } from '../registries.config';
import { listQueryOf, presentPage, refuseQuery } from '../registry-page';
import { pageParameters, pageSchemaOf } from '../registry.responses';
import { serviceFilterOf } from './service-filter';
import { SERVICE_STATES, SERVICE_STATUSES } from './service-liveness';
import { presentService, presentWritten } from './services.presenter';
import { SERVICE } from './services.responses';
import { ServicePatchDto } from './services.schema';
import { ServicesService } from './services.service';

const FILTERS = {
  host: TEXT,
  status: oneOf(...SERVICE_STATUSES),
  state: oneOf(...SERVICE_STATES),
  forced_down: FLAG_TEXT,
  zone: TEXT,
};

@Controller('scheduler/services')
export class ServicesController {
  constructor(
    private readonly services: ServicesService,
    private readonly config: RegistriesConfig,
  ) {}

  @Get()
  @Operation(
    'listServices',
    'Lists the services of compute hosts.',
    json(pageSchemaOf('Services', 'services', SERVICE)),
    { query: pageParameters(FILTERS) },
  )
  @ClientFunction('services.list')
  @Policy('berth:scheduler:services:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const query = listQueryOf(queryText, Object.keys(FILTERS));
    const nowMs = Date.now();
    const page = await this.services.list(serviceFilterOf(query, this.config, nowMs), query);
    return ok(presentPage('services', page, (service) => presentService(service, this.config, nowMs)));
  }

  @Get(':host')
  @Operation('showService', 'Shows the service of a compute host.', json(SERVICE))
  @ClientFunction('services.get')
  @Policy('berth:scheduler:services:show')
  async show(@Param('host') host: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    return ok(presentService(await this.services.get(host), this.config, Date.now()));
  }

  @Patch(':host')
  @Operation('updateService', 'Enables, disables or forces down the service of a compute host.', json(SERVICE))
  @ClientFunction('services.change')
  @Policy('berth:scheduler:services:update')
  @Audited('update', 'scheduler/service', ['status', 'disabled_reason', 'forced_down', 'generation'])
  async change(
    @Param('host') host: string,
    @DtoBody(ServicePatchDto) body: ServicePatchDto,
    @Context() { queryText, auditContext }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { status, disabled_reason: disabledReason, forced_down: forcedDown, generation } = body;
    const change = { status, disabledReason, forcedDown, generation };
    const { before, service } = await this.services.change(host, change);
    auditContext?.note({ before: presentWritten(before), after: presentWritten(service) });
    return ok(presentService(service, this.config, Date.now()));
  }

  @Delete(':host')
  @Operation('deleteService', 'Forgets the service of a compute host.', NOTHING)
  @ClientFunction('services.delete')
  @Policy('berth:scheduler:services:delete')
  @Audited('delete', 'scheduler/service')
  async remove(@Param('host') host: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    await this.services.remove(host);
    return noContent();
  }
}
