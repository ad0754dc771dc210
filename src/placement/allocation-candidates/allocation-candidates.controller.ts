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
  EveryRoute,
  Policy,
  Since,
  ValidQuery,
  Weighed,
} from '../../platform/http/route.decorators';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { CandidateTexts, presentCandidates } from './allocation-candidates.presenter';
import { ALLOCATION_CANDIDATES } from './allocation-candidates.responses';
import { EXPLAIN_CANDIDATES, LIST_CANDIDATES } from './allocation-candidates.schema';
import { AllocationCandidatesService } from './allocation-candidates.service';
import { explainedProvider, presentExplanation } from './explain.presenter';
import { CANDIDATES_EXPLANATION } from './explain.responses';
import { parseCandidateQuery } from './query-parser';

/** Header of an answer after the search reached a step limit: further candidates can exist. */
const INCOMPLETE = { 'x-berth-search': 'incomplete' };

@Controller('allocation_candidates')
@EveryRoute(Since('allocationCandidatesApi'), Weighed(), AnswersJson(), Policy('placement:allocation_candidates:list'))
export class AllocationCandidatesController {
  constructor(private readonly candidates: AllocationCandidatesService) {}

  @Get()
  @Operation(
    'listAllocationCandidates',
    'Lists the ways in which a request for resources could be met.',
    json(ALLOCATION_CANDIDATES),
  )
  @ClientFunction('candidates.list', { isHandWritten: true })
  async list(
    @ValidQuery(LIST_CANDIDATES) params: QueryParams,
    @Api() api: ApiVersion,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    const query = parseCandidateQuery(params, api);
    const texts = new CandidateTexts(api);
    const found = await this.candidates.search(query, texts.bytesOf, context);
    const body = await presentCandidates(found, query, texts, context);
    this.candidates.checkSize(body.bytes);
    return ok(body, { lastModified: 'now', ...(found.gaveUp && { headers: INCOMPLETE }) });
  }

  /** Berth extension: the candidates of the route above, and the result of every tree. */
  @Get('explain')
  @Operation(
    'explainAllocationCandidates',
    'Explains why hosts have no candidate, and which changes of the request give them one.',
    json(CANDIDATES_EXPLANATION),
  )
  @ClientFunction('candidates.explain', { isHandWritten: true })
  async explain(
    @ValidQuery(EXPLAIN_CANDIDATES) params: QueryParams,
    @Api() api: ApiVersion,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    const query = parseCandidateQuery(params, api);
    const explanation = await this.candidates.explain(query, explainedProvider(params), context);
    const requestFacts = { requestId: context.requestId, microversion: api.text, query: context.queryText };
    const { gaveUp } = explanation.candidates;
    return ok(presentExplanation(explanation, requestFacts), {
      lastModified: 'now',
      ...(gaveUp && { headers: INCOMPLETE }),
    });
  }
}
