import { Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { created, noContent, ok } from '../../platform/http/answer';
import { ClientFunction, json, located, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import {
  AnswersJson,
  Api,
  Audited,
  Context,
  NeedsProvider,
  Policy,
  ProviderUuidParam,
  Since,
  ValidBody,
} from '../../platform/http/route.decorators';
import type { ApiVersion } from '../../platform/microversion/api-version';
import {
  inventoriesDocument,
  inventoryDocument,
  inventoryPath,
  newestRecord,
  presentInventories,
  presentOne,
} from './inventories.presenter';
import { INVENTORIES, INVENTORY } from './inventories.responses';
import type { InventorySetBody, RecordBody } from './inventories.schema';
import { CREATE_INVENTORY, recordOf, recordsOf, REPLACE_INVENTORIES, UPDATE_INVENTORY } from './inventories.schema';
import { InventoriesService, noRecord } from './inventories.service';

@Controller('resource_providers/:uuid/inventories')
export class InventoriesController {
  constructor(private readonly inventories: InventoriesService) {}

  @Get()
  @Operation('listInventories', 'Lists the inventories of a resource provider.', json(INVENTORIES))
  @ClientFunction('providers.inventories.list')
  @AnswersJson()
  @Policy('placement:resource_providers:inventories:list')
  async list(@ProviderUuidParam() uuid: string): Promise<Answer> {
    const found = await this.inventories.list(uuid);
    const records = found.inventories.map((inventory) => [inventory.resourceClass, inventory] as const);
    return ok(presentInventories(found.generation, records), { lastModified: newestRecord(found) });
  }

  @Post()
  @Operation('createInventory', 'Gives a resource provider an inventory of one more resource class.', {
    201: located(json(INVENTORY)),
  })
  @ClientFunction('providers.inventories.create')
  @Policy('placement:resource_providers:inventories:create')
  @Audited('create/inventory', 'placement/resource_provider', 'all')
  @NeedsProvider()
  async create(
    @ProviderUuidParam() providerUuid: string,
    @ValidBody(CREATE_INVENTORY) body: RecordBody & { readonly resource_class: string },
    @Api() api: ApiVersion,
  ): Promise<Answer> {
    const record = recordOf(body);
    const generation = await this.inventories.create({
      providerUuid,
      resourceClass: body.resource_class,
      record,
      reservedCanBeTotal: api.has('reservedCanBeTotal'),
    });
    const location = inventoryPath(providerUuid, body.resource_class);
    return created(location, presentOne(generation, record), { lastModified: 'now' });
  }

  @Put()
  @Operation('replaceInventories', 'Replaces all inventories of a resource provider.', json(INVENTORIES))
  @ClientFunction('providers.inventories.replace')
  @Policy('placement:resource_providers:inventories:update')
  @Audited('update/inventories', 'placement/resource_provider', ['inventories', 'resource_provider_generation'])
  @NeedsProvider()
  async replace(
    @ProviderUuidParam() providerUuid: string,
    @ValidBody(REPLACE_INVENTORIES) body: InventorySetBody,
    @Api() api: ApiVersion,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    const records = recordsOf(body);
    const { generation, changedAt, before } = await this.inventories.replaceAll(
      {
        providerUuid,
        generation: body.resource_provider_generation,
        records,
        reservedCanBeTotal: api.has('reservedCanBeTotal'),
      },
      context,
    );
    context.auditContext?.note({
      before: inventoriesDocument(body.resource_provider_generation, before),
      after: inventoriesDocument(generation, records),
    });
    return ok(presentInventories(generation, records), { lastModified: changedAt });
  }

  @Delete()
  @Operation('deleteInventories', 'Deletes all inventories of a resource provider.', NOTHING)
  @ClientFunction('providers.inventories.deleteAll')
  @Since('inventoriesDelete', { status: 405 })
  @Policy('placement:resource_providers:inventories:delete')
  @Audited('delete/inventories', 'placement/resource_provider')
  async deleteAll(@ProviderUuidParam() providerUuid: string): Promise<Answer> {
    await this.inventories.deleteAll(providerUuid);
    return noContent();
  }

  @Get(':resource_class')
  @Operation('showInventory', 'Shows the inventory of one resource class.', json(INVENTORY))
  @ClientFunction('providers.inventories.get')
  @AnswersJson()
  @Policy('placement:resource_providers:inventories:show')
  async show(@ProviderUuidParam() uuid: string, @Param('resource_class') resourceClass: string): Promise<Answer> {
    const found = await this.inventories.list(uuid);
    const record = found.inventories.find((inventory) => inventory.resourceClass === resourceClass);
    if (record === undefined) throw noRecord(resourceClass, uuid);
    return ok(presentOne(found.generation, record), { lastModified: record.changedAt });
  }

  @Put(':resource_class')
  @Operation('updateInventory', 'Replaces the inventory of one resource class.', json(INVENTORY))
  @ClientFunction('providers.inventories.update')
  @Policy('placement:resource_providers:inventories:update')
  @Audited('update/inventory', 'placement/resource_provider', 'all')
  @NeedsProvider()
  async update(
    @ProviderUuidParam() providerUuid: string,
    @Param('resource_class') resourceClass: string,
    @ValidBody(UPDATE_INVENTORY) body: RecordBody & { readonly resource_provider_generation: number },
    @Api() api: ApiVersion,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    const record = recordOf(body);
    const { generation, before } = await this.inventories.update(
      {
        providerUuid,
        resourceClass,
        record,
        generation: body.resource_provider_generation,
        reservedCanBeTotal: api.has('reservedCanBeTotal'),
      },
      context,
    );
    context.auditContext?.note({
      before: before && inventoryDocument(body.resource_provider_generation, before),
      after: inventoryDocument(generation, record),
    });
    return ok(presentOne(generation, record), { lastModified: 'now' });
  }

  @Delete(':resource_class')
  @Operation('deleteInventory', 'Deletes the inventory of one resource class.', NOTHING)
  @ClientFunction('providers.inventories.delete')
  @Policy('placement:resource_providers:inventories:delete')
  @Audited('delete/inventory', 'placement/resource_provider')
  async delete(
    @ProviderUuidParam() providerUuid: string,
    @Param('resource_class') resourceClass: string,
  ): Promise<Answer> {
    await this.inventories.delete(providerUuid, resourceClass);
    return noContent();
  }
}
