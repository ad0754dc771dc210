import { Controller, Get } from '@nestjs/common';
import { ok } from '../http/answer';
import type { Answer } from '../http/answer';
import type { QueryParams } from '../http/query-params';
import { AnswersJson, Api, Policy, Since, ValidQuery } from '../http/route.decorators';
import type { ApiVersion } from '../microversion/api-version';
import { presentCandidates } from './allocation-candidates.presenter';
import { LIST_CANDIDATES } from './allocation-candidates.schema';
import { AllocationCandidatesService } from './allocation-candidates.service';
import { parseCandidateQuery } from './query-parser';

@Controller('allocation_candidates')
export class AllocationCandidatesController {
  constructor(private readonly candidates: AllocationCandidatesService) {}

  @Get()
  @Since('allocationCandidatesApi')
  @AnswersJson()
  @Policy('placement:allocation_candidates:list')
  async list(@ValidQuery(LIST_CANDIDATES) params: QueryParams, @Api() api: ApiVersion): Promise<Answer> {
    const query = parseCandidateQuery(params, api);
    const found = await this.candidates.search(query);
    return ok(presentCandidates(found, query, api), { lastModified: 'now' });
  }
}
