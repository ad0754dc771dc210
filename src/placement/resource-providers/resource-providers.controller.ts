import { randomUUID } from 'node:crypto';
import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { noContent, ok } from '../../platform/http/answer';
import { ClientFunction, json, located, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { QueryParams } from '../../platform/http/query-params';
import type { RequestContext } from '../../platform/http/request-context';
import {
  AnswersJson,
  Api,
  Audited,
  Context,
  NeedsProvider,
  Policy,
  ProviderUuidParam,
  ValidBody,
  ValidQuery,
} from '../../platform/http/route.decorators';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { since, until } from '../../platform/microversion/versioned-schema';
import { newestOf } from '../../platform/values/newest';
import { presentProvider, ProviderListBody, providerPath } from './resource-providers.presenter';
import { providerFilter } from './resource-providers.query';
import { RESOURCE_PROVIDER, RESOURCE_PROVIDERS } from './resource-providers.responses';
import {
  CREATE_PROVIDER,
  createCommand,
  LIST_PROVIDERS,
  UPDATE_PROVIDER,
  updateCommand,
} from './resource-providers.schema';
import { ResourceProvidersService } from './resource-providers.service';

@Controller('resource_providers')
export class ResourceProvidersController {
  constructor(private readonly providers: ResourceProvidersService) {}

  @Get()
  @Operation('listResourceProviders', 'Lists resource providers.', json(RESOURCE_PROVIDERS))
  @ClientFunction('providers.list')
  @AnswersJson()
  @Policy('placement:resource_providers:list')
  async list(
    @ValidQuery(LIST_PROVIDERS) query: QueryParams,
    @Api() api: ApiVersion,
    @Context() { mountPrefix }: RequestContext,
  ): Promise<Answer> {
    const found = await this.providers.list(providerFilter(query, api));
    return ok(new ProviderListBody(found, api, mountPrefix), { lastModified: newestOf(found, 'now') });
  }

  @Post()
  @Operation('createResourceProvider', 'Creates a resource provider.', {
    200: since('providerInPostResponse', located(json(RESOURCE_PROVIDER))),
    201: until('providerInPostResponse', located(NOTHING)),
  })
  @ClientFunction('providers.create')
  @Policy('placement:resource_providers:create')
  @Audited('create', 'placement/resource_provider', ['uuid', 'name', 'parent_provider_uuid'])
  async create(
    @ValidBody(CREATE_PROVIDER) body: Parameters<typeof createCommand>[0],
    @Api() api: ApiVersion,
    @Context() { mountPrefix }: RequestContext,
  ): Promise<Answer> {
    const provider = await this.providers.create(createCommand(body, randomUUID));
    const location = providerPath(provider.uuid);
    if (!api.has('providerInPostResponse')) return { status: 201, location };
    return ok(presentProvider(provider, api, mountPrefix), { location, lastModified: provider.changedAt });
  }

  @Get(':uuid')
  @Operation('showResourceProvider', 'Shows a resource provider.', json(RESOURCE_PROVIDER))
  @ClientFunction('providers.get')
  @AnswersJson()
  @Policy('placement:resource_providers:show')
  async show(
    @ProviderUuidParam() uuid: string,
    @Api() api: ApiVersion,
    @Context() { mountPrefix }: RequestContext,
  ): Promise<Answer> {
    const provider = await this.providers.get(uuid);
    return ok(presentProvider(provider, api, mountPrefix), { lastModified: provider.changedAt });
  }

  @Delete(':uuid')
  @Operation('deleteResourceProvider', 'Deletes a resource provider.', NOTHING)
  @ClientFunction('providers.delete')
  @Policy('placement:resource_providers:delete')
  @Audited('delete', 'placement/resource_provider', ['name'])
  async delete(@ProviderUuidParam() uuid: string, @Context() { auditContext }: RequestContext): Promise<Answer> {
    const name = await this.providers.delete(uuid);
    auditContext?.note({ before: { name } });
    return noContent();
  }

  @Put(':uuid')
  @Operation('updateResourceProvider', 'Renames a resource provider, or moves it in its tree.', json(RESOURCE_PROVIDER))
  @ClientFunction('providers.update')
  @Policy('placement:resource_providers:update')
  @Audited('update', 'placement/resource_provider', ['name', 'parent_provider_uuid'])
  @NeedsProvider()
  async update(
    @ProviderUuidParam() uuid: string,
    @ValidBody(UPDATE_PROVIDER) body: Parameters<typeof updateCommand>[1],
    @Api() api: ApiVersion,
    @Context() { mountPrefix, auditContext }: RequestContext,
  ): Promise<Answer> {
    const { provider, nameBefore } = await this.providers.update(updateCommand(uuid, body, api));
    auditContext?.note({ before: { name: nameBefore } });
    return ok(presentProvider(provider, api, mountPrefix), { lastModified: provider.changedAt });
  }
}
