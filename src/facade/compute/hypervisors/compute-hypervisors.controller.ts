// Compute nodes as hypervisors, whether or not anything runs there.
import { Get, Inject, Param } from '@nestjs/common';
import { REGISTRIES_CONFIG } from '../../../compute/registries.config';
import type { RegistriesConfig } from '../../../compute/registries.config';
import { NotFound } from '../../../domain/errors';
import { QueryParams } from '../../../http/query-params';
import type { RequestContext } from '../../../http/request-context';
import { Operation } from '../../../http/operation.decorator';
import { FLAG_TEXT } from '../../../http/answer-schemas';
import { HYPERVISOR_LIST, holding, listing, paged } from '../../facade.responses';
import { Context, Policy } from '../../../http/route.decorators';
import type { HostState } from '../../../scheduling/host-state/host-state';
import type { TargetNode } from '../../../scheduling/request/target-host';
import type { ComputeVersion } from '../../compute-version';
import { ComputeApi, FacadeController } from '../../facade.decorators';
import { isCalled } from '../compute-ids';
import { nextLink } from '../compute-links';
import { queriedBoolean, pageQueryOf } from '../compute-query';
import { ServersService } from '../servers/servers.service';
import { ComputeHosts } from './compute-hosts.service';
import { presentHypervisor, presentHypervisorName, presentStatistics } from './compute-hypervisors.presenter';

type Presenter = typeof presentHypervisorName;

@FacadeController('compute/v2.1/os-hypervisors')
export class ComputeHypervisorsController {
  constructor(
    private readonly hosts: ComputeHosts,
    private readonly servers: ServersService,
    @Inject(REGISTRIES_CONFIG) private readonly config: RegistriesConfig,
  ) {}

  @Get()
  @Operation('listComputeHypervisors', 'Lists names of hypervisors.', {
    answers: { 200: paged('hypervisors') },
    query: HYPERVISOR_LIST,
  })
  @Policy('berth:facade:compute:hypervisors')
  list(@ComputeApi() api: ComputeVersion, @Context() context: RequestContext): Promise<object> {
    return this.page(api, context, { path: 'os-hypervisors', present: presentHypervisorName });
  }

  @Get('detail')
  @Operation('listComputeHypervisorDetails', 'Lists hypervisors.', {
    answers: { 200: paged('hypervisors') },
    query: HYPERVISOR_LIST,
  })
  @Policy('berth:facade:compute:hypervisors')
  detail(@ComputeApi() api: ComputeVersion, @Context() context: RequestContext): Promise<object> {
    return this.page(api, context, { path: 'os-hypervisors/detail', present: presentHypervisor });
  }

  @Get('statistics')
  @Operation('showComputeHypervisorStatistics', 'Shows the sums over all hypervisors.', {
    answers: { 200: holding('hypervisor_statistics') },
  })
  @Policy('berth:facade:compute:hypervisors')
  async statistics(@ComputeApi() api: ComputeVersion, @Context() context: RequestContext): Promise<object> {
    if (api.has('leanHypervisors')) throw new NotFound('');
    const hosts = await this.hosts.states(await this.hosts.nodes(), context);
    return { hypervisor_statistics: presentStatistics(hosts) };
  }

  @Get(':id')
  @Operation('showComputeHypervisor', 'Shows a hypervisor.', {
    answers: { 200: holding('hypervisor') },
    query: { with_servers: FLAG_TEXT },
  })
  @Policy('berth:facade:compute:hypervisors')
  async show(
    @Param('id') id: string,
    @ComputeApi() api: ComputeVersion,
    @Context() context: RequestContext,
  ): Promise<object> {
    const host = await this.called(id, context);
    const isAsked = queriedBoolean(QueryParams.parse(context.queryText), 'with_servers') === true;
    return { hypervisor: presentHypervisor(host, await this.view(api, [host], isAsked)) };
  }

  /** Nothing runs there that could tell. */
  @Get(':id/uptime')
  @Operation('showComputeHypervisorUptime', 'Shows since when a hypervisor is up, which nothing here could tell.', {
    answers: { 200: holding('hypervisor') },
  })
  @Policy('berth:facade:compute:hypervisors')
  async uptime(
    @Param('id') id: string,
    @ComputeApi() api: ComputeVersion,
    @Context() context: RequestContext,
  ): Promise<object> {
    if (api.has('leanHypervisors')) throw new NotFound('');
    const host = await this.called(id, context);
    return { hypervisor: { ...presentHypervisorName(host, await this.view(api, [host], false)), uptime: '' } };
  }

  @Get(':id/search')
  @Operation('searchComputeHypervisors', 'Lists hypervisors whose name has this part.', {
    answers: { 200: listing('hypervisors') },
  })
  @Policy('berth:facade:compute:hypervisors')
  async search(
    @Param('id') pattern: string,
    @ComputeApi() api: ComputeVersion,
    @Context() context: RequestContext,
  ): Promise<object> {
    return this.matching(pattern, { api, context, withServers: false });
  }

  @Get(':id/servers')
  @Operation('listComputeHypervisorServers', 'Lists the servers of hypervisors whose name has this part.', {
    answers: { 200: listing('hypervisors') },
  })
  @Policy('berth:facade:compute:hypervisors')
  async serversOf(
    @Param('id') pattern: string,
    @ComputeApi() api: ComputeVersion,
    @Context() context: RequestContext,
  ): Promise<object> {
    return this.matching(pattern, { api, context, withServers: true });
  }

  /** Of old versions: since uuids both are parameters of the list. */
  private async matching(
    pattern: string,
    { api, context, withServers }: { api: ComputeVersion; context: RequestContext; withServers: boolean },
  ): Promise<object> {
    if (api.has('uuidsOfHosts')) throw new NotFound('');
    const nodes = matched(await this.hosts.nodes(), pattern);
    if (nodes.length === 0) throw new NotFound(`No hypervisor matching '${pattern}' could be found.`);
    const hosts = await this.hosts.states(nodes, context);
    const view = await this.view(api, hosts, withServers);
    return { hypervisors: hosts.map((host) => presentHypervisorName(host, view)) };
  }

  private async called(id: string, context: RequestContext): Promise<HostState> {
    const node = (await this.hosts.nodes()).find(({ uuid }) => isCalled(uuid, id));
    const [host] = node === undefined ? [] : await this.hosts.states([node], context);
    if (host === undefined) throw new NotFound(`Hypervisor with ID '${id}' could not be found.`);
    return host;
  }

  private async page(
    api: ComputeVersion,
    context: RequestContext,
    { path, present }: { readonly path: string; readonly present: Presenter },
  ): Promise<object> {
    const query = QueryParams.parse(context.queryText);
    const hasPages = api.has('hypervisorPages');
    const { limit, marker } = pageQueryOf(query);
    const pattern = api.has('uuidsOfHosts') ? query.last('hypervisor_hostname_pattern') : undefined;
    const after = await this.hosts.nodes(hasPages ? marker : undefined);
    const nodes = pattern === undefined ? after : matched(after, pattern);
    const shown = hasPages ? nodes.slice(0, limit) : nodes;
    const hosts = await this.hosts.states(shown, context);
    const isAsked = api.has('uuidsOfHosts') && queriedBoolean(query, 'with_servers') === true;
    const view = await this.view(api, hosts, isAsked);
    const next = nodes.length > shown.length ? (shown.at(-1)?.uuid ?? null) : null;
    const further = nextLink(context, path, { next, limit });
    return {
      hypervisors: hosts.map((host) => present(host, view)),
      ...(further !== undefined && { hypervisors_links: further }),
    };
  }

  private async view(
    api: ComputeVersion,
    hosts: readonly HostState[],
    withServers: boolean,
  ): Promise<Parameters<Presenter>[1]> {
    const uuids = hosts.flatMap(({ instances }) => [...instances.keys()]);
    const names = withServers ? await this.servers.namesOf(uuids) : undefined;
    return { api, nowMs: Date.now(), downSeconds: this.config.serviceDownSeconds, names };
  }
}

const matched = (nodes: readonly TargetNode[], pattern: string): readonly TargetNode[] =>
  nodes.filter(({ node }) => node.toLowerCase().includes(pattern.toLowerCase()));
