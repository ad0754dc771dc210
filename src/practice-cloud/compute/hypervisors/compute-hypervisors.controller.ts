// Compute nodes as hypervisors, with and without servers.
import { Get, Param } from '@nestjs/common';
import { RegistriesConfig } from '../../../compute/registries.config';
import { knownQuery } from '../../../compute/registry-page';
import { cutAt, pageOf } from '../../../compute/registry-page.sql';
import { FLAG_TEXT } from '../../../platform/http/answer-schemas';
import { Operation } from '../../../platform/http/operation.decorator';
import type { RequestContext } from '../../../platform/http/request-context';
import { EveryRoute, Policy } from '../../../platform/http/route.decorators';
import { NotFound } from '../../../platform/values/errors';
import type { HostState } from '../../../scheduling-rules/host-state/host-state';
import type { TargetNode } from '../../../scheduling-rules/request-spec/target-host';
import { pageQueryOf, queriedBoolean } from '../../practice-cloud-query';
import { PracticeController } from '../../practice-cloud.decorators';
import { holding, HYPERVISOR_LIST, listing, paged } from '../../practice-cloud.responses';
import { namedBy } from '../compute-ids';
import { linkedPage } from '../compute-links';
import type { ComputeRequest } from '../compute-request';
import { ComputeCall, refuseSince } from '../compute-request';
import { HYPERVISOR, HYPERVISOR_NAME } from '../compute.responses';
import { ServersService } from '../servers/servers.service';
import { ComputeHosts } from './compute-hosts.service';
import { presentHypervisor, presentHypervisorName, presentStatistics } from './compute-hypervisors.presenter';

type Presenter = typeof presentHypervisorName;

@PracticeController('compute/v2.1/os-hypervisors')
@EveryRoute(Policy('berth:practice_cloud:compute:hypervisors'))
export class ComputeHypervisorsController {
  constructor(
    private readonly hosts: ComputeHosts,
    private readonly servers: ServersService,
    private readonly config: RegistriesConfig,
  ) {}

  @Get()
  @Operation('listComputeHypervisors', 'Lists names of hypervisors.', paged('hypervisors', HYPERVISOR_NAME), {
    query: HYPERVISOR_LIST,
  })
  list(@ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    return this.page(computeRequest, presentHypervisorName);
  }

  @Get('detail')
  @Operation('listComputeHypervisorDetails', 'Lists hypervisors.', paged('hypervisors', HYPERVISOR), {
    query: HYPERVISOR_LIST,
  })
  detail(@ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    return this.page(computeRequest, presentHypervisor);
  }

  @Get('statistics')
  @Operation(
    'showComputeHypervisorStatistics',
    'Shows the sums over all hypervisors.',
    holding('hypervisor_statistics'),
  )
  async statistics(@ComputeCall() { api, context }: ComputeRequest): Promise<object> {
    refuseSince('leanHypervisors', api);
    const hosts = await this.hosts.states(await this.hosts.nodes(), context);
    return { hypervisor_statistics: presentStatistics(hosts) };
  }

  @Get(':id')
  @Operation('showComputeHypervisor', 'Shows a hypervisor.', holding('hypervisor', HYPERVISOR), {
    query: { with_servers: FLAG_TEXT },
  })
  async show(@Param('id') id: string, @ComputeCall() { api, caller, context }: ComputeRequest): Promise<object> {
    const host = await this.called(id, context);
    const isAsked = queriedBoolean(knownQuery(context.queryText, ['with_servers']), 'with_servers') === true;
    return { hypervisor: presentHypervisor(host, await this.view({ api, caller }, [host], isAsked)) };
  }

  /** Always empty: Berth does not know the uptime of a host. */
  @Get(':id/uptime')
  @Operation(
    'showComputeHypervisorUptime',
    'Shows the uptime of a hypervisor, which is always unknown.',
    holding('hypervisor', HYPERVISOR_NAME),
  )
  async uptime(@Param('id') id: string, @ComputeCall() { api, caller, context }: ComputeRequest): Promise<object> {
    refuseSince('leanHypervisors', api);
    const host = await this.called(id, context);
    return {
      hypervisor: { ...presentHypervisorName(host, await this.view({ api, caller }, [host], false)), uptime: '' },
    };
  }

  /** For old versions. Since `uuidsOfHosts`, a query parameter of the list replaces it. */
  @Get(':id/search')
  @Operation(
    'searchComputeHypervisors',
    'Lists hypervisors whose name has this part.',
    listing('hypervisors', HYPERVISOR_NAME),
  )
  async search(@Param('id') pattern: string, @ComputeCall() { api, caller, context }: ComputeRequest): Promise<object> {
    refuseSince('uuidsOfHosts', api);
    const nodes = matched(await this.hosts.nodes(), pattern);
    if (nodes.length === 0) throw new NotFound(`No hypervisor matching '${pattern}' could be found.`);
    const hosts = await this.hosts.states(nodes, context);
    const view = await this.view({ api, caller }, hosts, false);
    return { hypervisors: hosts.map((host) => presentHypervisorName(host, view)) };
  }

  private async called(id: string, context: RequestContext): Promise<HostState> {
    const isNamed = namedBy(id);
    const node = (await this.hosts.nodes()).find(({ uuid }) => isNamed(uuid));
    const [host] = node === undefined ? [] : await this.hosts.states([node], context);
    if (host === undefined) throw new NotFound(`Hypervisor with ID '${id}' could not be found.`);
    return host;
  }

  private async page(computeRequest: ComputeRequest, present: Presenter): Promise<object> {
    const { api, caller, context } = computeRequest;
    const query = knownQuery(context.queryText, Object.keys(HYPERVISOR_LIST));
    const { limit, marker } = pageQueryOf(query);
    const nodes = matched(await this.hosts.nodes(marker), query.last('hypervisor_hostname_pattern') ?? '');
    const { items, next } = pageOf(cutAt(limit, nodes), ({ uuid }) => uuid);
    const hosts = await this.hosts.states(items, context);
    const view = await this.view({ api, caller }, hosts, queriedBoolean(query, 'with_servers') === true);
    return linkedPage(context, 'hypervisors', { items: hosts.map((host) => present(host, view)), next, limit });
  }

  private async view(
    { api, caller }: Pick<ComputeRequest, 'api' | 'caller'>,
    hosts: readonly HostState[],
    withServers: boolean,
  ): Promise<Parameters<Presenter>[1]> {
    const uuids = hosts.flatMap(({ instances }) => [...instances.keys()]);
    const names = withServers ? await this.servers.namesOf(uuids, caller) : undefined;
    return { api, nowMs: Date.now(), downSeconds: this.config.serviceDownSeconds, names };
  }
}

const matched = (nodes: readonly TargetNode[], pattern: string): readonly TargetNode[] =>
  nodes.filter(({ node }) => node.toLowerCase().includes(pattern.toLowerCase()));
