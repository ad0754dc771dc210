// Compute services. Old versions identify them by host name, newer ones by uuid.
import { Delete, Get, Param, Put } from '@nestjs/common';
import { allOf, knownQuery } from '../../../compute/registry-page';
import type { ShownService } from '../../../compute/services/services.service';
import { ServicesService } from '../../../compute/services/services.service';
import type { Answer } from '../../../platform/http/answer';
import { noContent } from '../../../platform/http/answer';
import { TEXT } from '../../../platform/http/answer-schemas';
import { DtoBody } from '../../../platform/http/dto-body.decorator';
import { NOTHING, Operation } from '../../../platform/http/operation.decorator';
import { Audited, EveryRoute, Policy } from '../../../platform/http/route.decorators';
import { NotFound } from '../../../platform/values/errors';
import { bodyFault, FIELD_RULES } from '../../../platform/values/field-fault';
import type { ComputeVersion } from '../../compute-version';
import { PracticeController } from '../../practice-cloud.decorators';
import { holding, listing } from '../../practice-cloud.responses';
import { namedBy, serviceUuidOf } from '../compute-ids';
import type { ComputeRequest } from '../compute-request';
import { ComputeCall, refuseBefore, tooNew } from '../compute-request';
import { COMPUTE_BINARY, presentComputeService } from './compute-services.presenter';
import { ServiceChangeBody } from './compute-services.schema';

type Change = Omit<ServiceChangeBody, 'host' | 'binary'>;

@PracticeController('compute/v2.1/os-services')
@EveryRoute(Policy('berth:practice_cloud:compute:services'))
export class ComputeServicesController {
  constructor(private readonly services: ServicesService) {}

  @Get()
  @Operation('listComputeServices', 'Lists compute services.', listing('services'), {
    query: { host: TEXT, binary: TEXT },
  })
  async list(@ComputeCall() { api, context }: ComputeRequest): Promise<object> {
    const query = knownQuery(context.queryText, ['host', 'binary']);
    const isOther = (query.last('binary') ?? COMPUTE_BINARY) !== COMPUTE_BINARY;
    const found = isOther ? [] : await this.all(query.last('host'));
    return { services: found.map((service) => this.shown(service, api)) };
  }

  /** Old versions have an action instead of the id, and the host in the body. */
  @Put(':id')
  @Operation('updateComputeService', 'Enables, disables or forces down a service.', holding('service'))
  @Audited('update', 'compute/service')
  async change(
    @Param('id') id: string,
    @DtoBody(ServiceChangeBody) body: ServiceChangeBody,
    @ComputeCall() { api }: ComputeRequest,
  ): Promise<object> {
    const { host: named, binary: _binary, ...change } = body;
    if (api.has('uuidsOfHosts')) {
      if (named !== undefined) throw tooNew('host');
      return { service: this.shown(await this.changed((await this.called(id)).host, change), api) };
    }
    if (named === undefined) throw bodyFault('', FIELD_RULES.required('host'));
    const update = updateOf(id, change, api);
    await this.changed(named, update);
    return { service: { host: named, binary: COMPUTE_BINARY, ...update } };
  }

  @Delete(':id')
  @Operation('deleteComputeService', 'Deletes a service, and its host with it.', NOTHING)
  @Audited('delete', 'compute/service')
  async remove(@Param('id') id: string): Promise<Answer> {
    await this.services.remove((await this.called(id)).host);
    return noContent();
  }

  private async changed(
    host: string,
    { status, disabled_reason: disabledReason, forced_down: forcedDown }: Change,
  ): Promise<ShownService> {
    return (await this.services.change(host, { status, disabledReason, forcedDown })).service;
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

/** What an action of old versions changes. */
function updateOf(
  action: string,
  { disabled_reason: reason, forced_down: isForced }: Change,
  api: ComputeVersion,
): Change {
  switch (action) {
    case 'enable':
      return { status: 'enabled' };
    case 'disable':
      return { status: 'disabled' };
    case 'disable-log-reason':
      if (!reason) throw bodyFault('', FIELD_RULES.required('disabled_reason'));
      return { status: 'disabled', disabled_reason: reason };
    case 'force-down':
      refuseBefore('forcedDown', api);
      if (isForced === undefined) throw bodyFault('', FIELD_RULES.required('forced_down'));
      return { forced_down: isForced };
    default:
      throw new NotFound('');
  }
}
