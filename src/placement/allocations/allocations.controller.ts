import { Controller, Delete, Get, Inject, Param, Post, Put } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { noContent, ok } from '../../platform/http/answer';
import { ClientFunction, json, NOTHING, Operation } from '../../platform/http/operation.decorator';
import {
  AnswersJson,
  Api,
  Audited,
  NeedsUuid,
  Policy,
  ProviderUuidParam,
  Since,
  ValidBody,
} from '../../platform/http/route.decorators';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { NotFound } from '../../platform/values/errors';
import { canonicalUuid } from '../../platform/values/uuid';
import { checkedUuid } from '../resource-providers/resource-providers.schema';
import { presentConsumerAllocations, ProviderAllocationsBody } from './allocations.presenter';
import { CONSUMER_ALLOCATIONS, PROVIDER_ALLOCATIONS } from './allocations.responses';
import type { PlaceholderOwner, PostAllocationsBody, PutAllocationsBody } from './allocations.schema';
import { consumerWrite, consumerWrites, POST_ALLOCATIONS, PUT_ALLOCATIONS } from './allocations.schema';
import { PLACEHOLDER_OWNER } from './allocations.schema';
import { AllocationsService } from './allocations.service';

/** Fields in the audit log. */
const SHOWN = ['allocations', 'project_id', 'user_id', 'consumer_generation', 'consumer_type'];

@Controller()
export class AllocationsController {
  constructor(
    private readonly allocations: AllocationsService,
    @Inject(PLACEHOLDER_OWNER) private readonly placeholder: PlaceholderOwner,
  ) {}

  @Post('allocations')
  @Operation('replaceManyAllocations', 'Replaces the allocations of several consumers in one transaction.', NOTHING)
  @ClientFunction('allocations.post')
  @Since('allocationsPost')
  @Policy('placement:allocations:manage')
  @Audited('update/allocations', 'placement/consumer', 'all')
  async replaceMany(@ValidBody(POST_ALLOCATIONS) body: PostAllocationsBody, @Api() api: ApiVersion): Promise<Answer> {
    await this.allocations.replace(consumerWrites(body, api, this.placeholder));
    return noContent();
  }

  @Get('allocations/:consumer_uuid')
  @Operation('showAllocations', 'Shows the allocations of a consumer.', json(CONSUMER_ALLOCATIONS))
  @ClientFunction('allocations.get')
  @AnswersJson()
  @Policy('placement:allocations:list')
  async show(@Param('consumer_uuid') text: string, @Api() api: ApiVersion): Promise<Answer> {
    const uuid = canonicalUuid(text);
    const found = uuid === undefined ? undefined : await this.allocations.ofConsumer(uuid);
    return ok(presentConsumerAllocations(found, api), { lastModified: found?.changedAt ?? 'now' });
  }

  @Put('allocations/:consumer_uuid')
  @Operation('replaceAllocations', 'Replaces the allocations of a consumer.', NOTHING)
  @ClientFunction('allocations.put', { isHandWritten: true })
  @Policy('placement:allocations:update')
  @Audited('update/allocations', 'placement/consumer', SHOWN)
  @NeedsUuid('consumer_uuid')
  async replace(
    @Param('consumer_uuid') text: string,
    @ValidBody(PUT_ALLOCATIONS) body: PutAllocationsBody,
    @Api() api: ApiVersion,
  ): Promise<Answer> {
    await this.allocations.replace([consumerWrite(checkedUuid(text), body, api, this.placeholder)]);
    return noContent();
  }

  @Delete('allocations/:consumer_uuid')
  @Operation('deleteAllocations', 'Deletes the allocations of a consumer.', NOTHING)
  @ClientFunction('allocations.delete')
  @Policy('placement:allocations:delete')
  @Audited('delete/allocations', 'placement/consumer')
  async delete(@Param('consumer_uuid') text: string): Promise<Answer> {
    const uuid = canonicalUuid(text);
    if (uuid === undefined) throw new NotFound(`No allocations for consumer '${text}'`);
    await this.allocations.delete(uuid);
    return noContent();
  }

  @Get('resource_providers/:uuid/allocations')
  @Operation('listProviderAllocations', 'Lists the allocations of a resource provider.', json(PROVIDER_ALLOCATIONS))
  @ClientFunction('providers.allocations')
  @AnswersJson()
  @Policy('placement:resource_providers:allocations:list')
  async ofProvider(@ProviderUuidParam() uuid: string, @Api() api: ApiVersion): Promise<Answer> {
    const found = await this.allocations.ofProvider(uuid);
    return ok(new ProviderAllocationsBody(found, api), { lastModified: found.changedAt ?? 'now' });
  }
}
