import { newestOf } from '../../platform/values/newest';
import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { noContent, ok } from '../../platform/http/answer';
import type { Answer } from '../../platform/http/answer';
import type { RequestContext } from '../../platform/http/request-context';
import {
  AnswersJson,
  Audited,
  Context,
  Policy,
  ProviderUuidParam,
  Since,
  TakesJson,
  ValidBody,
  providerUuidOf,
} from '../../platform/http/route.decorators';
import { presentProviderTraits } from './provider-traits.presenter';
import { REPLACE_TRAITS, boundedTraits } from './provider-traits.schema';
import type { ReplaceTraitsBody } from './provider-traits.schema';
import { ProviderTraitsService } from './provider-traits.service';
import { ClientFunction, NOTHING, Operation, json } from '../../platform/http/operation.decorator';
import { PROVIDER_TRAITS } from './provider-traits.responses';

@Controller('resource_providers/:uuid/traits')
export class ProviderTraitsController {
  constructor(private readonly providerTraits: ProviderTraitsService) {}

  @Get()
  @Operation('listProviderTraits', 'Lists the traits of a resource provider.', json(PROVIDER_TRAITS))
  @ClientFunction('providers.traits.list')
  @Since('traitsApi')
  @AnswersJson()
  @Policy('placement:resource_providers:traits:list')
  async list(@ProviderUuidParam() uuid: string): Promise<Answer> {
    const found = await this.providerTraits.get(uuid);
    return ok(presentProviderTraits(found), { lastModified: newestOf(found.traits, 'now') });
  }

  /** Unlike other routes, this one validates the body before the provider, even before the uuid in the path. */
  @Put()
  @Operation('replaceProviderTraits', 'Replaces the traits of a resource provider.', json(PROVIDER_TRAITS))
  @ClientFunction('providers.traits.replace')
  @Since('traitsApi')
  @TakesJson()
  @Policy('placement:resource_providers:traits:update')
  @Audited('update/traits', 'placement/resource_provider', ['traits', 'resource_provider_generation'])
  async replace(
    @Param('uuid') text: string,
    @ValidBody(REPLACE_TRAITS) body: ReplaceTraitsBody,
    @Context() { auditContext }: RequestContext,
  ): Promise<Answer> {
    const traits = boundedTraits(body);
    const provider = providerUuidOf(text);
    const generation = body.resource_provider_generation;
    const result = await this.providerTraits.replace({ provider, traits, generation });
    auditContext?.note({
      before: presentProviderTraits({ traits: result.before, generation }),
      after: presentProviderTraits(result),
    });
    return ok(presentProviderTraits(result), { lastModified: newestOf(result.traits, 'now') });
  }

  @Delete()
  @Operation('deleteProviderTraits', 'Takes all traits from a resource provider.', NOTHING)
  @ClientFunction('providers.traits.deleteAll')
  @Since('traitsApi')
  @Policy('placement:resource_providers:traits:delete')
  @Audited('delete/traits', 'placement/resource_provider', ['traits', 'resource_provider_generation'])
  async clear(@ProviderUuidParam() uuid: string, @Context() { auditContext }: RequestContext): Promise<Answer> {
    const before = await this.providerTraits.clear(uuid);
    auditContext?.note({ before: presentProviderTraits(before) });
    return noContent();
  }
}
