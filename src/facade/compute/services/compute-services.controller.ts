// Compute services: by the names of their hosts in old versions, by uuids since.
import { Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ServicesService } from '../../../compute/services/services.service';
import type { ShownService } from '../../../compute/services/services.service';
import { SCHEDULER_LIMITS } from '../../../config/limits';
import { NotFound } from '../../../domain/errors';
import { FIELD_RULES, bodyFault } from '../../../domain/field-fault';
import type { Answer } from '../../../http/answer';
import { DtoBody } from '../../../http/dto-body.decorator';
import { QueryParams } from '../../../http/query-params';
import type { RequestContext } from '../../../http/request-context';
import { NOTHING, Operation } from '../../../http/operation.decorator';
import { TEXT } from '../../../http/answer-schemas';
import { holding, listing } from '../../facade.responses';
import { Context, Policy } from '../../../http/route.decorators';
import type { ComputeVersion } from '../../compute-version';
import { ComputeApi, FacadeController } from '../../facade.decorators';
import { isCalled, serviceUuidOf } from '../compute-ids';
import { COMPUTE_BINARY, presentComputeService } from './compute-services.presenter';
import { ServiceActionBody, ServiceChangeBody } from './compute-services.schema';

@FacadeController('compute/v2.1/os-services')
export class ComputeServicesController {
  constructor(private readonly services: ServicesService) {}

  @Get()
  @Operation('listComputeServices', 'Lists compute services.', {
    answers: { 200: listing('services') },
    query: { host: TEXT, binary: TEXT },
  })
  @Policy('berth:facade:compute:services')
  async list(@ComputeApi() api: ComputeVersion, @Context() { queryText }: RequestContext): Promise<object> {
    const query = QueryParams.parse(queryText);
    const isOther = (query.last('binary') ?? COMPUTE_BINARY) !== COMPUTE_BINARY;
    const found = isOther ? [] : await this.all(query.last('host'));
    return { services: found.map((service) => this.shown(service, api)) };
  }

  @Put('enable')
  @Operation('enableComputeService', 'Enables the service of a host.', { answers: { 200: holding('service') } })
  @Policy('berth:facade:compute:services')
  enable(@DtoBody(ServiceActionBody) { host }: ServiceActionBody, @ComputeApi() api: ComputeVersion): Promise<object> {
    return this.changedOnHost(host, api, { status: 'enabled' }, { status: 'enabled' });
  }

  @Put('disable')
  @Operation('disableComputeService', 'Disables the service of a host.', { answers: { 200: holding('service') } })
  @Policy('berth:facade:compute:services')
  disable(@DtoBody(ServiceActionBody) { host }: ServiceActionBody, @ComputeApi() api: ComputeVersion): Promise<object> {
    return this.changedOnHost(host, api, { status: 'disabled' }, { status: 'disabled' });
  }

  @Put('disable-log-reason')
  @Operation('disableComputeServiceForReason', 'Disables the service of a host, and says why.', {
    answers: { 200: holding('service') },
  })
  @Policy('berth:facade:compute:services')
  disableFor(
    @DtoBody(ServiceActionBody) { host, disabled_reason: reason }: ServiceActionBody,
    @ComputeApi() api: ComputeVersion,
  ): Promise<object> {
    if (reason === undefined) throw bodyFault('', FIELD_RULES.required('disabled_reason'));
    const change = { status: 'disabled', disabledReason: reason } as const;
    return this.changedOnHost(host, api, change, { status: 'disabled', disabled_reason: reason });
  }

  @Put('force-down')
  @Operation('forceComputeServiceDown', 'Says that the service of a host is down, or that it is not.', {
    answers: { 200: holding('service') },
  })
  @Policy('berth:facade:compute:services')
  forceDown(
    @DtoBody(ServiceActionBody) { host, forced_down: isForced }: ServiceActionBody,
    @ComputeApi() api: ComputeVersion,
  ): Promise<object> {
    if (!api.has('forcedDown')) throw new NotFound('');
    if (isForced === undefined) throw bodyFault('', FIELD_RULES.required('forced_down'));
    return this.changedOnHost(host, api, { forcedDown: isForced }, { forced_down: isForced });
  }

  @Put(':id')
  @Operation('updateComputeService', 'Enables, disables or forces down a service.', {
    answers: { 200: holding('service') },
  })
  @Policy('berth:facade:compute:services')
  async change(
    @Param('id') id: string,
    @DtoBody(ServiceChangeBody) body: ServiceChangeBody,
    @ComputeApi() api: ComputeVersion,
  ): Promise<object> {
    if (!api.has('uuidsOfHosts')) throw new NotFound('');
    const { status, disabled_reason: disabledReason, forced_down: forcedDown } = body;
    const { host } = await this.called(id);
    const { service } = await this.services.change(host, { status, disabledReason, forcedDown });
    return { service: this.shown(service, api) };
  }

  @Delete(':id')
  @Operation('deleteComputeService', 'Deletes a service, and its host with it.', { answers: { 204: NOTHING } })
  @HttpCode(204)
  @Policy('berth:facade:compute:services')
  async remove(@Param('id') id: string): Promise<Answer> {
    await this.services.remove((await this.called(id)).host);
    return { status: 204 };
  }

  private async changedOnHost(
    host: string,
    api: ComputeVersion,
    change: Parameters<ServicesService['change']>[1],
    told: object,
  ): Promise<object> {
    if (api.has('uuidsOfHosts')) throw new NotFound('');
    await this.services.change(host, change);
    return { service: { host, binary: COMPUTE_BINARY, ...told } };
  }

  private async all(host?: string): Promise<readonly ShownService[]> {
    const found: ShownService[] = [];
    let marker: string | undefined;
    do {
      const { items, next } = await this.services.list({ host }, { limit: SCHEDULER_LIMITS.listMax, marker });
      found.push(...items);
      marker = next ?? undefined;
    } while (marker !== undefined);
    return found;
  }

  /** The uuid is not kept anywhere, so all of them are looked through. */
  private async called(id: string): Promise<ShownService> {
    const service = (await this.all()).find(({ host }) => isCalled(serviceUuidOf(host), id));
    if (service === undefined) throw new NotFound(`Compute service ${id} could not be found.`);
    return service;
  }

  private shown(service: ShownService, api: ComputeVersion): object {
    return presentComputeService(service, { config: this.services.config, nowMs: Date.now(), api });
  }
}
