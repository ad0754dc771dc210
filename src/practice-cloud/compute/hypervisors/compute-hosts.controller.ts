// Compute hosts for API versions before services and hypervisors replaced them.
import { Get, Param } from '@nestjs/common';
import { allOf } from '../../../compute/registry-page';
import { ServicesService } from '../../../compute/services/services.service';
import { TEXT } from '../../../platform/http/answer-schemas';
import { Operation } from '../../../platform/http/operation.decorator';
import { QueryParams } from '../../../platform/http/query-params';
import { Policy } from '../../../platform/http/route.decorators';
import { FacadeController } from '../../facade.decorators';
import { listing } from '../../facade.responses';
import type { ComputeRequest } from '../compute-request';
import { ComputeCall, refuseSince } from '../compute-request';
import { ComputeHosts } from './compute-hosts.service';
import { presentComputeHost } from './compute-hypervisors.presenter';

@FacadeController('compute/v2.1/os-hosts')
export class ComputeHostsController {
  constructor(
    private readonly services: ServicesService,
    private readonly hosts: ComputeHosts,
  ) {}

  @Get()
  @Operation('listComputeHosts', 'Lists the hosts whose service is enabled.', listing('hosts'), {
    query: { zone: TEXT },
  })
  @Policy('berth:facade:compute:hosts')
  async list(@ComputeCall() { api, context }: ComputeRequest): Promise<object> {
    refuseSince('noHosts', api);
    const requestedZone = QueryParams.parse(context.queryText).last('zone') ?? '';
    const services = await allOf((page) => this.services.list({}, page));
    const hosts = services
      .filter(({ disabled }) => !disabled)
      .map(({ host, zone }) => ({
        host_name: host,
        service: 'compute',
        zone: zone ?? this.services.config.defaultZone,
      }))
      .filter(({ zone }) => requestedZone === '' || zone === requestedZone);
    return { hosts };
  }

  @Get(':host')
  @Operation('showComputeHost', 'Shows what a host has and what of it is used.', listing('host'))
  @Policy('berth:facade:compute:hosts')
  async show(@Param('host') host: string, @ComputeCall() { api, context }: ComputeRequest): Promise<object> {
    refuseSince('noHosts', api);
    return { host: presentComputeHost(host, await this.hosts.ofHost(host, context)) };
  }
}
