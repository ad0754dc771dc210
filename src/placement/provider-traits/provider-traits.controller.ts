import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { noContent, ok } from '../../platform/http/answer';
import { ClientFunction, json, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import {
  AnswersJson,
  Audited,
  Context,
  EveryRoute,
  Policy,
  providerUuidOf,
  ProviderUuidParam,
  Since,
  ValidBody,
} from '../../platform/http/route.decorators';
import { newestOf } from '../../platform/values/newest';
import { presentProviderTraits } from './provider-traits.presenter';
import { PROVIDER_TRAITS } from './provider-traits.responses';
import type { ReplaceTraitsBody } from './provider-traits.schema';
import { boundedTraits, REPLACE_TRAITS } from './provider-traits.schema';
import { ProviderTraitsService } from './provider-traits.service';

@Controller('resource_providers/:uuid/traits')
@EveryRoute(Since('traitsApi'))
export class ProviderTraitsController {
  constructor(private readonly providerTraits: ProviderTraitsService) {}

  @Get()
  @Operation('listProviderTraits', 'Lists the traits of a resource provider.', json(PROVIDER_TRAITS))
  @ClientFunction('providers.traits.list')
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
  @Policy('placement:resource_providers:traits:delete')
  @Audited('delete/traits', 'placement/resource_provider', ['traits', 'resource_provider_generation'])
  async clear(@ProviderUuidParam() uuid: string, @Context() { auditContext }: RequestContext): Promise<Answer> {
    const before = await this.providerTraits.clear(uuid);
    auditContext?.note({ before: presentProviderTraits(before) });
    return noContent();
  }
}
