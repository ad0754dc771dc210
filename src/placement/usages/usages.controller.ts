import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { QueryParams } from '../../platform/http/query-params';
import type { RequestContext } from '../../platform/http/request-context';
import {
  AnswersJson,
  Api,
  Context,
  Policy,
  ProviderUuidParam,
  Since,
  ValidQuery,
} from '../../platform/http/route.decorators';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { presentProjectUsages, presentProviderUsages } from './usages.presenter';
import { PROJECT_USAGES_SHOWN, PROVIDER_USAGES } from './usages.responses';
import { PROJECT_USAGES, usageQuestion } from './usages.schema';
import { UsagesService } from './usages.service';

@Controller()
export class UsagesController {
  constructor(private readonly usages: UsagesService) {}

  @Get('resource_providers/:uuid/usages')
  @Operation('showProviderUsages', 'Shows the usage of a resource provider.', json(PROVIDER_USAGES))
  @ClientFunction('providers.usages')
  @AnswersJson()
  @Policy('placement:resource_providers:usages')
  async ofProvider(@ProviderUuidParam() uuid: string): Promise<Answer> {
    return ok(presentProviderUsages(await this.usages.ofProvider(uuid)), { lastModified: 'now' });
  }

  @Get('usages')
  @Operation('showProjectUsages', 'Shows the usage of a project.', json(PROJECT_USAGES_SHOWN))
  @ClientFunction('usages.list')
  @Since('usagesApi')
  @AnswersJson()
  @Policy('placement:usages', { projectFromQuery: 'project_id' })
  async ofProject(
    @ValidQuery(PROJECT_USAGES) query: QueryParams,
    @Api() api: ApiVersion,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    const question = usageQuestion(query, api);
    const found = await this.usages.ofProject(question, context);
    return ok(presentProjectUsages(found, question, api), { lastModified: 'now' });
  }
}
