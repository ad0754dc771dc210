import { Controller, Get, Put } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
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
import { presentAggregates } from './aggregates.presenter';
import { AGGREGATES } from './aggregates.responses';
import type { ReplaceAggregatesBody } from './aggregates.schema';
import { REPLACE_AGGREGATES, replaceCommand } from './aggregates.schema';
import { AggregatesService } from './aggregates.service';

@Controller('resource_providers/:uuid/aggregates')
export class AggregatesController {
  constructor(private readonly aggregates: AggregatesService) {}

  @Get()
  @Operation('listAggregates', 'Lists the aggregates of a resource provider.', json(AGGREGATES))
  @ClientFunction('providers.aggregates.list')
  @Since('aggregatesApi', { order: 'after-content-type' })
  @AnswersJson()
  @Policy('placement:resource_providers:aggregates:list')
  async list(@ProviderUuidParam() uuid: string, @Api() api: ApiVersion): Promise<Answer> {
    const found = await this.aggregates.get(uuid);
    return ok(presentAggregates(found, api), { lastModified: 'now' });
  }

  @Put()
  @Operation('replaceAggregates', 'Replaces the aggregates of a resource provider.', json(AGGREGATES))
  @ClientFunction('providers.aggregates.replace')
  @Since('aggregatesApi', { order: 'after-content-type' })
  @Policy('placement:resource_providers:aggregates:update')
  @Audited('update/aggregates', 'placement/resource_provider', 'all')
  @NeedsProvider()
  async replace(
    @ProviderUuidParam() uuid: string,
    @ValidBody(REPLACE_AGGREGATES) body: ReplaceAggregatesBody,
    @Api() api: ApiVersion,
    @Context() { auditContext }: RequestContext,
  ): Promise<Answer> {
    const result = await this.aggregates.replace(replaceCommand(uuid, body));
    auditContext?.note({
      before: { aggregates: result.before.toSorted() },
      after: { aggregates: result.aggregates.toSorted() },
    });
    return ok(presentAggregates(result, api), { lastModified: 'now' });
  }
}
