// Compute services. Old versions identify them by host name, newer ones by uuid.
import { Delete, Get, Param, Put } from '@nestjs/common';
import { allOf } from '../../../compute/registry-page';
import type { ShownService } from '../../../compute/services/services.service';
import { ServicesService } from '../../../compute/services/services.service';
import type { Answer } from '../../../platform/http/answer';
import { noContent } from '../../../platform/http/answer';
import { TEXT } from '../../../platform/http/answer-schemas';
import { DtoBody } from '../../../platform/http/dto-body.decorator';
import { NOTHING, Operation } from '../../../platform/http/operation.decorator';
import { Audited, Policy } from '../../../platform/http/route.decorators';
import { NotFound } from '../../../platform/values/errors';
import { bodyFault, FIELD_RULES } from '../../../platform/values/field-fault';
import { FacadeController } from '../../facade.decorators';
import { holding, listing } from '../../facade.responses';
import { namedBy, serviceUuidOf } from '../compute-ids';
import type { ComputeRequest } from '../compute-request';
import { ComputeCall, queryOf, refuseBefore, refuseSince } from '../compute-request';
import { COMPUTE_BINARY, presentComputeService } from './compute-services.presenter';
import { ServiceActionBody, ServiceChangeBody } from './compute-services.schema';

@FacadeController('compute/v2.1/os-services')
export class ComputeServicesController {
  constructor(private readonly services: ServicesService) {}

  @Get()
  @Operation('listComputeServices', 'Lists compute services.', listing('services'), {
    query: { host: TEXT, binary: TEXT },
  })
  @Policy('berth:facade:compute:services')
  async list(@ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    const query = queryOf(computeRequest, ['host', 'binary']);
    const isOther = (query.last('binary') ?? COMPUTE_BINARY) !== COMPUTE_BINARY;
    const found = isOther ? [] : await this.all(query.last('host'));
    return { services: found.map((service) => this.shown(service, computeRequest.api)) };
  }

  @Put('enable')
  @Operation('enableComputeService', 'Enables the service of a host.', holding('service'))
  @Policy('berth:facade:compute:services')
  @Audited('enable', 'compute/service')
  enable(
    @DtoBody(ServiceActionBody) { host }: ServiceActionBody,
    @ComputeCall() { api }: ComputeRequest,
  ): Promise<object> {
    return this.changedOnHost(host, api, { status: 'enabled' }, { status: 'enabled' });
  }

  @Put('disable')
  @Operation('disableComputeService', 'Disables the service of a host.', holding('service'))
  @Policy('berth:facade:compute:services')
  @Audited('disable', 'compute/service')
  disable(
    @DtoBody(ServiceActionBody) { host }: ServiceActionBody,
    @ComputeCall() { api }: ComputeRequest,
  ): Promise<object> {
    return this.changedOnHost(host, api, { status: 'disabled' }, { status: 'disabled' });
  }

  @Put('disable-log-reason')
  @Operation('disableComputeServiceForReason', 'Disables the service of a host with a reason.', holding('service'))
  @Policy('berth:facade:compute:services')
  @Audited('disable', 'compute/service')
  disableFor(
    @DtoBody(ServiceActionBody) { host, disabled_reason: reason }: ServiceActionBody,
    @ComputeCall() { api }: ComputeRequest,
  ): Promise<object> {
    if (reason === undefined) throw bodyFault('', FIELD_RULES.required('disabled_reason'));
    const change = { status: 'disabled', disabledReason: reason } as const;
    return this.changedOnHost(host, api, change, { status: 'disabled', disabled_reason: reason });
  }

  @Put('force-down')
  @Operation(
    'forceComputeServiceDown',
    'Sets or clears the forced-down state of the service of a host.',
    holding('service'),
  )
  @Policy('berth:facade:compute:services')
  @Audited('update', 'compute/service')
  forceDown(
    @DtoBody(ServiceActionBody) { host, forced_down: isForced }: ServiceActionBody,
    @ComputeCall() { api }: ComputeRequest,
  ): Promise<object> {
    refuseBefore('forcedDown', api);
    if (isForced === undefined) throw bodyFault('', FIELD_RULES.required('forced_down'));
    return this.changedOnHost(host, api, { forcedDown: isForced }, { forced_down: isForced });
  }

  @Put(':id')
  @Operation('updateComputeService', 'Enables, disables or forces down a service.', holding('service'))
  @Policy('berth:facade:compute:services')
  @Audited('update', 'compute/service')
  async change(
    @Param('id') id: string,
    @DtoBody(ServiceChangeBody) body: ServiceChangeBody,
    @ComputeCall() { api }: ComputeRequest,
  ): Promise<object> {
    refuseBefore('uuidsOfHosts', api);
    const { status, disabled_reason: disabledReason, forced_down: forcedDown } = body;
    const { host } = await this.called(id);
    const { service } = await this.services.change(host, { status, disabledReason, forcedDown });
    return { service: this.shown(service, api) };
  }

  @Delete(':id')
  @Operation('deleteComputeService', 'Deletes a service, and its host with it.', NOTHING)
  @Policy('berth:facade:compute:services')
  @Audited('delete', 'compute/service')
  async remove(@Param('id') id: string): Promise<Answer> {
    await this.services.remove((await this.called(id)).host);
    return noContent();
  }

  private async changedOnHost(
    host: string,
    api: ComputeRequest['api'],
    change: Parameters<ServicesService['change']>[1],
    update: object,
  ): Promise<object> {
    refuseSince('uuidsOfHosts', api);
    await this.services.change(host, change);
    return { service: { host, binary: COMPUTE_BINARY, ...update } };
  }

  private all(host?: string): Promise<readonly ShownService[]> {
    return allOf((page) => this.services.list({ host }, page));
  }

  /** Service uuids are computed and not stored, so the lookup reads all services. */
  private async called(id: string): Promise<ShownService> {
    const isNamed = namedBy(id);
    const service = (await this.all()).find(({ host }) => isNamed(serviceUuidOf(host)));
    if (service === undefined) throw new NotFound(`Compute service ${id} could not be found.`);
    return service;
  }

  private shown(service: ShownService, api: ComputeRequest['api']): object {
    return presentComputeService(service, { config: this.services.config, nowMs: Date.now(), api });
  }
}
