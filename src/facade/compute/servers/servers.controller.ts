import { randomBytes } from 'node:crypto';
import { Delete, Get, HttpCode, Inject, Param, Post, Put } from '@nestjs/common';
import { REGISTRIES_CONFIG } from '../../../compute/registries.config';
import type { RegistriesConfig } from '../../../compute/registries.config';
import { merged, textsOf } from '../../../compute/registry-schema';
import { ServerGroupsService } from '../../../compute/server-groups/server-groups.service';
import { SERVER_LIMITS } from '../../../config/limits';
import { NotFound } from '../../../domain/errors';
import { FIELD_RULES, bodyFault } from '../../../domain/field-fault';
import { canonicalUuid } from '../../../domain/uuid';
import type { Answer } from '../../../http/answer';
import { DtoBody } from '../../../http/dto-body.decorator';
import { QueryParams } from '../../../http/query-params';
import type { RequestContext } from '../../../http/request-context';
import { TEXT } from '../../../http/answer-schemas';
import { closed } from '../../../microversion/versioned-schema';
import { NOTHING, Operation, json } from '../../../http/operation.decorator';
import { DOCUMENT, SERVER_LIST, holding, paged } from '../../facade.responses';
import { Context, Policy, Weighed } from '../../../http/route.decorators';
import { ComputeApi, FacadeController } from '../../facade.decorators';
import type { ComputeVersion } from '../../compute-version';
import { AsCaller } from '../compute-caller';
import type { ComputeCaller } from '../compute-caller';
import { COMPUTE_PATH, linksOf, nextLink } from '../compute-links';
import { queriedBoolean, pageQueryOf } from '../compute-query';
import { tooNew } from '../too-new';
import { ComputeHosts } from '../hypervisors/compute-hosts.service';
import { isYes, NewServersService } from './new-servers.service';
import { presentServer, presentServerName, statesOf } from './servers.presenter';
import type { ServerView } from './servers.presenter';
import { MetadataBody, NewServerBody, ServerChangeBody } from './servers.schema';
import { ServersService } from './servers.service';
import type { Server } from './servers.service';

/** Whoever wants the reservation alone is told nothing of the first server. */
const NEW_SERVERS = json({ anyOf: [closed({ server: DOCUMENT }), closed({ reservation_id: TEXT })] });

@FacadeController('compute/v2.1/servers')
export class ComputeServersController {
  constructor(
    private readonly servers: ServersService,
    private readonly newServers: NewServersService,
    private readonly groups: ServerGroupsService,
    private readonly hosts: ComputeHosts,
    @Inject(REGISTRIES_CONFIG) private readonly config: RegistriesConfig,
  ) {}

  @Get()
  @Operation('listComputeServers', 'Lists names of servers.', {
    answers: { 200: paged('servers') },
    query: SERVER_LIST,
  })
  @Policy('berth:facade:compute:servers:list')
  list(
    @AsCaller() caller: ComputeCaller,
    @ComputeApi() api: ComputeVersion,
    @Context() context: RequestContext,
  ): Promise<object> {
    return this.page(caller, api, context, { path: 'servers', present: presentServerName });
  }

  @Get('detail')
  @Operation('listComputeServerDetails', 'Lists servers.', { answers: { 200: paged('servers') }, query: SERVER_LIST })
  @Policy('berth:facade:compute:servers:list')
  detail(
    @AsCaller() caller: ComputeCaller,
    @ComputeApi() api: ComputeVersion,
    @Context() context: RequestContext,
  ): Promise<object> {
    return this.page(caller, api, context, { path: 'servers/detail', present: presentServer });
  }

  @Post()
  @Operation('createComputeServers', 'Creates servers, and places them at once.', { answers: { 202: NEW_SERVERS } })
  @HttpCode(202)
  @Policy('berth:facade:compute:servers:create')
  @Weighed()
  async create(
    @DtoBody(NewServerBody) body: NewServerBody,
    @AsCaller() caller: ComputeCaller,
    @ComputeApi() api: ComputeVersion,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    refuseNewFields(body, api);
    const { servers, minCount } = await this.newServers.of(body, caller);
    await this.servers.create(servers, minCount, context);
    const [{ uuid, details }] = servers as readonly [(typeof servers)[number]];
    if (isYes(body.server.return_reservation_id))
      return { status: 202, body: { reservation_id: details.reservationId } };
    const shown = {
      id: uuid,
      links: linksOf(context)('servers', uuid),
      'OS-DCF:diskConfig': details.diskConfig,
      adminPass: body.server.adminPass ?? randomBytes(9).toString('base64url'),
      security_groups: details.securityGroups.map((name) => ({ name })),
    };
    return { status: 202, location: `${COMPUTE_PATH}/servers/${uuid}`, body: { server: shown } };
  }

  @Get(':id')
  @Operation('showComputeServer', 'Shows a server.', { answers: { 200: holding('server') } })
  @Policy('berth:facade:compute:servers:list')
  async show(
    @Param('id') id: string,
    @AsCaller() caller: ComputeCaller,
    @ComputeApi() api: ComputeVersion,
    @Context() context: RequestContext,
  ): Promise<object> {
    return this.shown(await this.servers.get(id, caller), { caller, api, context });
  }

  @Put(':id')
  @Operation('updateComputeServer', 'Changes what a server is called.', { answers: { 200: holding('server') } })
  @Policy('berth:facade:compute:servers:update')
  async change(
    @Param('id') id: string,
    @DtoBody(ServerChangeBody) { server }: ServerChangeBody,
    @AsCaller() caller: ComputeCaller,
    @ComputeApi() api: ComputeVersion,
    @Context() context: RequestContext,
  ): Promise<object> {
    const { name, description, accessIPv4, accessIPv6, hostname, 'OS-DCF:diskConfig': diskConfig } = server;
    if (description !== undefined) refuseNewField('description', api.has('serverDescription'));
    const given = { description, accessIPv4, accessIPv6, hostname, diskConfig };
    const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const changed = await this.servers.change(id, caller, ({ details }) => ({
      ...(name !== undefined && { name }),
      details: { ...details, ...said },
    }));
    return this.shown(changed, { caller, api, context });
  }

  @Delete(':id')
  @Operation('deleteComputeServer', 'Deletes a server.', { answers: { 204: NOTHING } })
  @HttpCode(204)
  @Policy('berth:facade:compute:servers:delete')
  async remove(@Param('id') id: string, @AsCaller() caller: ComputeCaller): Promise<Answer> {
    await this.servers.remove(id, caller);
    return { status: 204 };
  }

  @Get(':id/metadata')
  @Operation('listComputeServerMetadata', 'Shows the metadata of a server.', { answers: { 200: holding('metadata') } })
  @Policy('berth:facade:compute:servers:list')
  async metadata(@Param('id') id: string, @AsCaller() caller: ComputeCaller): Promise<object> {
    return { metadata: (await this.servers.get(id, caller)).metadata };
  }

  @Post(':id/metadata')
  @Operation('mergeComputeServerMetadata', 'Adds to the metadata of a server.', {
    answers: { 200: holding('metadata') },
  })
  @HttpCode(200)
  @Policy('berth:facade:compute:servers:update')
  async addMetadata(
    @Param('id') id: string,
    @DtoBody(MetadataBody) { metadata }: MetadataBody,
    @AsCaller() caller: ComputeCaller,
  ): Promise<object> {
    const changed = await this.servers.change(id, caller, (before) => ({
      metadata: bounded(merged(before.metadata, metadata)),
    }));
    return { metadata: changed.metadata };
  }

  @Put(':id/metadata')
  @Operation('replaceComputeServerMetadata', 'Replaces the metadata of a server.', {
    answers: { 200: holding('metadata') },
  })
  @Policy('berth:facade:compute:servers:update')
  async replaceMetadata(
    @Param('id') id: string,
    @DtoBody(MetadataBody) { metadata }: MetadataBody,
    @AsCaller() caller: ComputeCaller,
  ): Promise<object> {
    return { metadata: (await this.servers.change(id, caller, () => ({ metadata: textsOf(metadata) }))).metadata };
  }

  @Delete(':id/metadata/:key')
  @Operation('deleteComputeServerMetadata', 'Removes a key of the metadata of a server.', { answers: { 204: NOTHING } })
  @HttpCode(204)
  @Policy('berth:facade:compute:servers:update')
  async removeMetadata(
    @Param('id') id: string,
    @Param('key') key: string,
    @AsCaller() caller: ComputeCaller,
  ): Promise<Answer> {
    await this.servers.change(id, caller, ({ metadata }) => {
      if (!(key in metadata)) throw new NotFound('Metadata item was not found');
      return { metadata: merged(metadata, { [key]: null }) };
    });
    return { status: 204 };
  }

  private async page(
    caller: ComputeCaller,
    api: ComputeVersion,
    context: RequestContext,
    how: { readonly path: string; readonly present: typeof presentServerName },
  ): Promise<object> {
    const query = QueryParams.parse(context.queryText);
    const { limit, marker } = pageQueryOf(query);
    const { servers, next } = await this.servers.list({ ...filterOf(query, caller), limit, marker });
    const view = await this.view(servers, { caller, api, context });
    const further = nextLink(context, how.path, { next, limit });
    return {
      servers: servers.map((server) => how.present(server, view)),
      ...(further !== undefined && { servers_links: further }),
    };
  }

  private async shown(
    server: Server,
    of: { readonly caller: ComputeCaller; readonly api: ComputeVersion; readonly context: RequestContext },
  ): Promise<object> {
    const view = await this.view([server], of);
    if (!of.api.has('groupsOfServer')) return { server: presentServer(server, view) };
    const { items } = await this.groups.list({ member: server.uuid }, { limit: 1, marker: undefined });
    return { server: presentServer(server, { ...view, groups: items.map(({ uuid }) => uuid) }) };
  }

  private async view(
    servers: readonly Server[],
    {
      caller,
      api,
      context,
    }: { readonly caller: ComputeCaller; readonly api: ComputeVersion; readonly context: RequestContext },
  ): Promise<ServerView> {
    const { serviceDownSeconds: downSeconds, defaultZone } = this.config;
    const hosts = await this.hosts.ofRoots(
      new Set(servers.flatMap(({ instance }) => instance?.hostUuid ?? [])),
      context,
    );
    return { api, caller, links: linksOf(context), nowMs: Date.now(), downSeconds, defaultZone, hosts };
  }
}

/** Whose servers are listed: those of the caller's project, unless an administrator asks for others. */
function filterOf(
  query: QueryParams,
  caller: ComputeCaller,
): Omit<Parameters<ServersService['list']>[0], 'limit' | 'marker'> {
  const isAll =
    caller.isAdmin && query.last('all_tenants') !== undefined && queriedBoolean(query, 'all_tenants') === true;
  const project = query.last('project_id') ?? query.last('tenant_id');
  const status = query.all('status');
  return {
    projectId: caller.isAdmin ? (project ?? (isAll ? undefined : caller.projectId)) : caller.projectId,
    userId: query.last('user_id'),
    name: query.last('name')?.replaceAll(/^\^|\$$/g, ''),
    imageUuid: imageOf(query),
    flavorId: query.last('flavor'),
    host: caller.isAdmin ? query.last('host') : undefined,
    vmStates:
      queriedBoolean(query, 'deleted') === true ? [] : status.length === 0 ? undefined : status.flatMap(statesOf),
  };
}

/** What is no uuid is no image's. */
const imageOf = (query: QueryParams): string | undefined => {
  const text = query.last('image');
  return text === undefined ? undefined : (canonicalUuid(text) ?? '');
};

function refuseNewField(field: string, isKnown: boolean): void {
  if (!isKnown) throw tooNew(`server.${field}`);
}

function refuseNewFields({ server }: NewServerBody, api: ComputeVersion): void {
  if (server.description !== undefined) refuseNewField('description', api.has('serverDescription'));
  if (server.host !== undefined) refuseNewField('host', api.has('requestedHost'));
  if (server.hypervisor_hostname !== undefined) refuseNewField('hypervisor_hostname', api.has('requestedHost'));
}

function bounded(metadata: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (Object.keys(metadata).length <= SERVER_LIMITS.metadataKeys) return metadata;
  throw bodyFault('metadata', FIELD_RULES.entries('most', SERVER_LIMITS.metadataKeys));
}
