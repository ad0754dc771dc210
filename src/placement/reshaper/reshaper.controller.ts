import { Controller, Inject, Post } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { noContent } from '../../platform/http/answer';
import { ClientFunction, NOTHING, Operation } from '../../platform/http/operation.decorator';
import { Api, Audited, Policy, Since, ValidBody } from '../../platform/http/route.decorators';
import type { ApiVersion } from '../../platform/microversion/api-version';
import type { PlaceholderOwner } from '../allocations/allocations.schema';
import { PLACEHOLDER_OWNER } from '../allocations/allocations.schema';
import { RESHAPE, reshapeCommand } from './reshaper.schema';
import { ReshaperService } from './reshaper.service';

@Controller('reshaper')
export class ReshaperController {
  constructor(
    private readonly reshaper: ReshaperService,
    @Inject(PLACEHOLDER_OWNER) private readonly placeholder: PlaceholderOwner,
  ) {}

  @Post()
  @Operation(
    'reshape',
    'Moves inventories between resource providers, and allocations with them, in one transaction.',
    NOTHING,
  )
  @ClientFunction('reshaper.reshape')
  @Since('reshaperApi')
  @Policy('placement:reshaper:reshape')
  @Audited('update/reshape', 'placement/resource_provider', ['inventories', 'allocations'])
  async reshape(
    @ValidBody(RESHAPE) body: Parameters<typeof reshapeCommand>[0],
    @Api() api: ApiVersion,
  ): Promise<Answer> {
    await this.reshaper.reshape(reshapeCommand(body, api, this.placeholder));
    return noContent();
  }
}
