// The routes of the scheduler: which policy, which document in, which document out.

import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { InvalidInput } from '../errors/domain-errors';
import { DtoBody } from '../http/dto-body.decorator';
import { QueryParams } from '../http/query-params';
import type { RequestContext } from '../http/request-context';
import { Context, Policy } from '../http/route.decorators';
import { DecisionStore } from './decisions/decision-store';
import { SchedulerError } from './scheduler.errors';
import { presentDecision } from './decision.presenter';
import { presentScheduler, presentSelections } from './scheduler.presenter';
import { SCHEDULER_PIPELINE } from './scheduler.pipeline';
import type { SchedulerPipeline } from './scheduler.pipeline';
import { SelectDestinationsDto } from './scheduler.schema';
import type { ExplainLevel } from './scheduler.schema';
import { explainsAt } from './decide/placement-search';
import { SchedulerService } from './scheduler.service';
import type { Decided } from './scheduler.service';

@Controller()
export class SchedulerController {
  constructor(
    @Inject(SchedulerService) private readonly scheduler: SchedulerService,
    @Inject(SCHEDULER_PIPELINE) private readonly pipeline: SchedulerPipeline,
    @Inject(DecisionStore) private readonly decisions: Pick<DecisionStore, 'keep'>,
  ) {}

  @Get('scheduler')
  @Policy('berth:scheduler:show')
  show(): object {
    return presentScheduler(this.pipeline);
  }

  @Post('scheduler/select_destinations')
  @HttpCode(200)
  @Policy('berth:scheduler:select_destinations')
  async selectDestinations(
    @DtoBody(SelectDestinationsDto) body: SelectDestinationsDto,
    @Context() caller: RequestContext,
  ): Promise<object> {
    const { requestId } = caller;
    queryOf(caller.queryText, []);
    const level = body.explain ?? 'first';
    const dryRun = body.dry_run ?? false;
    const decided = await this.decide(body, { caller, level, dryRun });
    const { refusal, decision } = decided;
    if (!dryRun) this.decisions.keep(decision);
    if (refusal !== null) {
      const shown = presentDecision(decision, { level: level === 'none' ? 'summary' : level });
      throw new SchedulerError(refusal.message, { ...refusal, decision: shown });
    }
    return {
      request_id: requestId,
      selections: presentSelections(decided.placements, this.pipeline.options),
      ...(level !== 'none' && { decision: presentDecision(decision, { level }) }),
    };
  }

  @Post('scheduler/explain')
  @HttpCode(200)
  @Policy('berth:scheduler:explain')
  async explain(
    @DtoBody(SelectDestinationsDto) body: SelectDestinationsDto,
    @Context() caller: RequestContext,
  ): Promise<object> {
    const { requestId } = caller;
    const host = queryOf(caller.queryText, ['host']).last('host');
    const level = body.explain ?? 'all';
    const { decision, placements, refusal } = await this.decide(body, { caller, level, dryRun: true });
    return {
      request_id: requestId,
      outcome: decision.outcome,
      ...(refusal !== null && { code: refusal.code, message: refusal.message }),
      selections: presentSelections(placements, this.pipeline.options),
      decision: presentDecision(decision, { level: level === 'none' ? 'summary' : level, host }),
    };
  }

  private decide(
    body: SelectDestinationsDto,
    how: { readonly caller: RequestContext; readonly level: ExplainLevel; readonly dryRun: boolean },
  ): Promise<Decided> {
    return this.scheduler.decide({
      body,
      requestId: how.caller.requestId,
      caller: how.caller,
      dryRun: how.dryRun,
      mode: how.level === 'all' ? 'all' : 'first',
      explains: explainsAt(how.level),
      returnAlternates: body.return_alternates ?? true,
      seed: body.seed,
    });
  }
}

/** The query parameters; one that is not known would be ignored in silence, so it is refused. */
function queryOf(queryText: string, known: readonly string[]): QueryParams {
  const query = QueryParams.parse(queryText);
  const unknown = query.names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new InvalidInput(`${unknown}: there is no such query parameter here`);
  return query;
}
