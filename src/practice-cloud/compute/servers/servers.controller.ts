import { Delete, Get, Param, Post, Put } from '@nestjs/common';
import { merged, textsOf } from '../../../compute/registry-schema';
import { SERVER_LIMITS } from '../../../platform/config/limits/practice-cloud';
import type { Answer } from '../../../platform/http/answer';
import { noContent } from '../../../platform/http/answer';
import { byName, TEXT } from '../../../platform/http/answer-schemas';
import { DtoBody } from '../../../platform/http/dto-body.decorator';
import { json, NOTHING, Operation } from '../../../platform/http/operation.decorator';
import { Audited, Policy, Weighed } from '../../../platform/http/route.decorators';
import { closed } from '../../../platform/microversion/versioned-schema';
import { NotFound } from '../../../platform/values/errors';
import { bodyFault, FIELD_RULES, shown } from '../../../platform/values/field-fault';
import { PracticeController } from '../../practice-cloud.decorators';
import { ANY_DOCUMENT, holding, paged } from '../../practice-cloud.responses';
import { COMPUTE_PATH, linkedPage } from '../compute-links';
import type { ComputeCaller, ComputeRequest } from '../compute-request';
import { ComputeCall, refuseBefore, refuseTooNew } from '../compute-request';
import { CREATED_SERVER, SERVER, SERVER_NAME } from '../compute.responses';
import { SECURITY_GROUP, SECURITY_GROUP_ID } from '../practice-network';
import { NewServersService } from './new-servers.service';
import { SERVER_LIST, serverFilterOf } from './server-list';
import { newPassword, ServerViews } from './server-views.service';
import { addressesOf, presentChangedServer, presentServer, presentServerName } from './servers.presenter';
import { MetadataBody, MetadataKeyBody, NewServerBody, ServerChangeBody } from './servers.schema';
import type { Server } from './servers.service';
import { refuseLocked, refuseState, ServersService } from './servers.service';

type Metadata = Readonly<Record<string, string>>;

/** A client that sets `return_reservation_id` receives only the reservation id. */
const NEW_SERVERS = json({ anyOf: [closed({ server: CREATED_SERVER }), closed({ reservation_id: TEXT })] });

/** What a server has, by the end of the path. It has no ports and no volumes, and no migration outlasts its response. */
const PARTS: Readonly<Record<string, (server: Server) => object>> = {
  ips: (server) => ({ addresses: addressesOf(server) }),
  migrations: () => ({ migrations: [] }),
  'os-interface': () => ({ interfaceAttachments: [] }),
  'os-security-groups': ({ projectId }) => ({
    security_groups: [{ id: SECURITY_GROUP_ID, name: SECURITY_GROUP, tenant_id: projectId, rules: [] }],
  }),
  'os-volume_attachments': () => ({ volumeAttachments: [] }),
};

@PracticeController('compute/v2.1/servers')
export class ComputeServersController {
  constructor(
    private readonly servers: ServersService,
    private readonly newServers: NewServersService,
    private readonly views: ServerViews,
  ) {}

  @Get()
  @Operation('listComputeServers', 'Lists names of servers.', paged('servers', SERVER_NAME), { query: SERVER_LIST })
  @Policy('berth:practice_cloud:compute:servers:list')
  list(@ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    return this.page(computeRequest, presentServerName);
  }

  @Get('detail')
  @Operation('listComputeServerDetails', 'Lists servers.', paged('servers', SERVER), { query: SERVER_LIST })
  @Policy('berth:practice_cloud:compute:servers:list')
  detail(@ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    return this.page(computeRequest, presentServer);
  }

  @Post()
  @Operation('createComputeServers', 'Creates servers, and places them at once.', { 202: NEW_SERVERS })
  @Policy('berth:practice_cloud:compute:servers:create')
  @Audited('create', 'compute/server')
  @Weighed()
  async create(
    @DtoBody(NewServerBody) body: NewServerBody,
    @ComputeCall() computeRequest: ComputeRequest,
  ): Promise<Answer> {
    const { description, host, hypervisor_hostname: node } = body.server;
    refuseTooNew('serverDescription', computeRequest.api, { 'server.description': description });
    refuseTooNew('requestedHost', computeRequest.api, { 'server.host': host, 'server.hypervisor_hostname': node });
    const { servers, minCount } = await this.newServers.of(body, computeRequest.caller);
    await this.servers.create(servers, minCount, computeRequest.context);
    const [{ uuid, details }] = servers as readonly [(typeof servers)[number]];
    if (body.server.return_reservation_id === true)
      return { status: 202, body: { reservation_id: details.reservationId } };
    const created = {
      id: uuid,
      links: computeRequest.links('servers', uuid),
      'OS-DCF:diskConfig': details.diskConfig,
      adminPass: body.server.adminPass ?? newPassword(),
      security_groups: details.securityGroups.map((name) => ({ name })),
    };
    return { status: 202, location: `${COMPUTE_PATH}/servers/${uuid}`, body: { server: created } };
  }

  @Get(':id')
  @Operation('showComputeServer', 'Shows a server.', holding('server', SERVER))
  @Policy('berth:practice_cloud:compute:servers:list')
  async show(@Param('id') id: string, @ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    return { server: await this.views.shown(await this.servers.get(id, computeRequest.caller), computeRequest) };
  }

  @Get(':id/:part')
  @Operation('showComputeServerPart', `Shows ${Object.keys(PARTS).join(', ')} of a server.`, json(ANY_DOCUMENT))
  @Policy('berth:practice_cloud:compute:servers:list')
  async part(
    @Param('id') id: string,
    @Param('part') name: string,
    @ComputeCall() { api, caller }: ComputeRequest,
  ): Promise<object> {
    const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (part === undefined) throw new NotFound('');
    if (name === 'migrations') refuseBefore('migrationsOfServer', api);
    return part(await this.servers.get(id, caller));
  }

  @Put(':id')
  @Operation('updateComputeServer', 'Changes what a server is called.', holding('server', SERVER))
  @Policy('berth:practice_cloud:compute:servers:update')
  @Audited('update', 'compute/server')
  async change(
    @Param('id') id: string,
    @DtoBody(ServerChangeBody) { server }: ServerChangeBody,
    @ComputeCall() computeRequest: ComputeRequest,
  ): Promise<object> {
    const { name, description, accessIPv4, accessIPv6, hostname, 'OS-DCF:diskConfig': diskConfig } = server;
    refuseTooNew('serverDescription', computeRequest.api, { 'server.description': description });
    const given = { description, accessIPv4, accessIPv6, hostname, diskConfig };
    const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const changed = await this.servers.change(id, computeRequest.caller, ({ details }) => ({
      ...(name !== undefined && { name }),
      details: { ...details, ...said },
    }));
    return { server: await this.views.shown(changed, computeRequest, presentChangedServer) };
  }

  @Delete(':id')
  @Operation('deleteComputeServer', 'Deletes a server.', NOTHING)
  @Policy('berth:practice_cloud:compute:servers:delete')
  @Audited('delete', 'compute/server')
  async remove(@Param('id') id: string, @ComputeCall() { caller }: ComputeRequest): Promise<Answer> {
    await this.servers.remove(id, caller);
    return noContent();
  }

  @Get(':id/metadata')
  @Operation('listComputeServerMetadata', 'Shows the metadata of a server.', holding('metadata', byName(TEXT)))
  @Policy('berth:practice_cloud:compute:servers:list')
  async metadata(@Param('id') id: string, @ComputeCall() { caller }: ComputeRequest): Promise<object> {
    return { metadata: (await this.servers.get(id, caller)).metadata };
  }

  @Post(':id/metadata')
  @Operation('mergeComputeServerMetadata', 'Adds to the metadata of a server.', holding('metadata', byName(TEXT)))
  @Policy('berth:practice_cloud:compute:servers:update')
  @Audited('update/metadata', 'compute/server')
  async addMetadata(
    @Param('id') id: string,
    @DtoBody(MetadataBody) { metadata }: MetadataBody,
    @ComputeCall() { caller }: ComputeRequest,
  ): Promise<object> {
    return { metadata: await this.changedMetadata(id, caller, (before) => merged(before, metadata)) };
  }

  @Put(':id/metadata')
  @Operation('replaceComputeServerMetadata', 'Replaces the metadata of a server.', holding('metadata', byName(TEXT)))
  @Policy('berth:practice_cloud:compute:servers:update')
  @Audited('update/metadata', 'compute/server')
  async replaceMetadata(
    @Param('id') id: string,
    @DtoBody(MetadataBody) { metadata }: MetadataBody,
    @ComputeCall() { caller }: ComputeRequest,
  ): Promise<object> {
    return { metadata: await this.changedMetadata(id, caller, () => textsOf(metadata)) };
  }

  @Get(':id/metadata/:key')
  @Operation('showComputeServerMetadata', 'Shows a key of the metadata of a server.', holding('meta', byName(TEXT)))
  @Policy('berth:practice_cloud:compute:servers:list')
  async metadataOf(
    @Param('id') id: string,
    @Param('key') key: string,
    @ComputeCall() { caller }: ComputeRequest,
  ): Promise<object> {
    const { metadata } = await this.servers.get(id, caller);
    refuseUnknownKey(metadata, key);
    return { meta: { [key]: metadata[key] } };
  }

  @Put(':id/metadata/:key')
  @Operation('setComputeServerMetadata', 'Sets a key of the metadata of a server.', holding('meta', byName(TEXT)))
  @Policy('berth:practice_cloud:compute:servers:update')
  @Audited('update/metadata', 'compute/server')
  async setMetadata(
    @Param('id') id: string,
    @Param('key') key: string,
    @DtoBody(MetadataKeyBody) { meta }: MetadataKeyBody,
    @ComputeCall() { caller }: ComputeRequest,
  ): Promise<object> {
    if (!Object.hasOwn(meta, key)) throw bodyFault('meta', `must have the key '${shown(key)}', which the path names`);
    const metadata = await this.changedMetadata(id, caller, (before) => merged(before, meta));
    return { meta: { [key]: metadata[key] } };
  }

  @Delete(':id/metadata/:key')
  @Operation('deleteComputeServerMetadata', 'Removes a key of the metadata of a server.', NOTHING)
  @Policy('berth:practice_cloud:compute:servers:update')
  @Audited('delete/metadata', 'compute/server')
  async removeMetadata(
    @Param('id') id: string,
    @Param('key') key: string,
    @ComputeCall() { caller }: ComputeRequest,
  ): Promise<Answer> {
    await this.changedMetadata(id, caller, (before) => {
      refuseUnknownKey(before, key);
      return merged(before, { [key]: null });
    });
    return noContent();
  }

  private async changedMetadata(
    id: string,
    caller: ComputeCaller,
    changed: (before: Metadata) => Metadata,
  ): Promise<Metadata> {
    const server = await this.servers.change(id, caller, (before) => {
      refuseLocked(before, caller);
      refuseState(before, ['active', 'paused', 'suspended', 'stopped'], 'update metadata');
      const metadata = changed(before.metadata);
      if (Object.keys(metadata).length <= SERVER_LIMITS.metadataKeys) return { metadata };
      throw bodyFault('metadata', FIELD_RULES.entries('most', SERVER_LIMITS.metadataKeys));
    });
    return server.metadata;
  }

  private async page(computeRequest: ComputeRequest, present: typeof presentServerName): Promise<object> {
    const { caller, context } = computeRequest;
    const query = serverFilterOf(context.queryText, caller);
    const { items, next } = await this.servers.list(query, caller);
    const view = await this.views.of(items, computeRequest);
    const servers = items.map((server) => present(server, view));
    return linkedPage(context, 'servers', { items: servers, next, limit: query.limit });
  }
}

function refuseUnknownKey(metadata: Metadata, key: string): void {
  if (!Object.hasOwn(metadata, key)) throw new NotFound('Metadata item was not found');
}
