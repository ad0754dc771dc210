// The routes of the scheduler, with their policies and documents.

import { Controller, Get, Inject, Optional, Post } from '@nestjs/common';
import { knownQuery } from '../compute/registry-page';
import { tasks } from '../platform/event-loop/task-scheduler';
import { TEXT } from '../platform/http/answer-schemas';
import { DtoBody } from '../platform/http/dto-body.decorator';
import { ClientFunction, json, Operation } from '../platform/http/operation.decorator';
import type { RequestContext } from '../platform/http/request-context';
import { Audited, ChangesNothing, Context, Policy, Weighed } from '../platform/http/route.decorators';
import { DomainError } from '../platform/values/errors';
import type { Decision } from '../scheduling-rules/pipeline/decision';
import { SchedulerPipeline } from './assemble/scheduler-pipeline';
import type { Placement } from './claim/placement';
import type { Decided } from './decide/decision-run';
import { explainsAt } from './decide/placement-search';
import { DecisionStore } from './decisions/decision-store';
import type { DecisionDocument, DecisionView } from './decisions/decision.presenter';
import { presentDecision, presentPass } from './decisions/decision.presenter';
import { presentScheduler, SCHEDULER } from './described-scheduler';
import type { ConsumerStore, ExternalHostFacts } from './ports';
import { EXTERNAL_HOST_FACTS, REMOTE_CONSUMERS } from './ports';
import type { ExplainLevel } from './request/request.schema';
import { SelectDestinationsDto } from './request/request.schema';
import { levelOf } from './request/request.schema';
import { PLACED, presentPlacements, presentSelection } from './scheduler.presenter';
import { EXPLANATION, SELECTIONS } from './scheduler.responses';
import { SchedulerService } from './scheduler.service';

@Controller()
export class SchedulerController {
  constructor(
    @Inject(SchedulerService) private readonly scheduler: SchedulerService,
    private readonly pipeline: SchedulerPipeline,
    @Inject(DecisionStore) private readonly decisions: Pick<DecisionStore, 'keep'>,
    @Optional() @Inject(EXTERNAL_HOST_FACTS) private readonly externalFacts: ExternalHostFacts | null = null,
    @Optional() @Inject(REMOTE_CONSUMERS) private readonly remote: ConsumerStore | null = null,
  ) {}

  @Get('scheduler')
  @Operation('showScheduler', 'Shows the filters, weighers and options in use.', json(SCHEDULER))
  @ClientFunction('scheduler.show')
  @Policy('berth:scheduler:show')
  show(): object {
    const hostFacts = this.externalFacts === null ? 'registries' : 'external';
    return presentScheduler(this.pipeline, { hostFacts, isRemote: this.remote !== null });
  }

  @Post('scheduler/select_destinations')
  @Operation('selectDestinations', 'Chooses hosts for instances and claims what they need.', json(SELECTIONS))
  @ClientFunction('scheduler.selectDestinations', { isHandWritten: true })
  @Policy('berth:scheduler:select_destinations')
  @Audited('create/placement', 'scheduler/instance', [
    'num_instances',
    'min_count',
    'instances',
    'project_id',
    'user_id',
    ...PLACED,
  ])
  @Weighed()
  async selectDestinations(
    @DtoBody(SelectDestinationsDto) body: SelectDestinationsDto,
    @Context() caller: RequestContext,
  ): Promise<object> {
    const { requestId } = caller;
    knownQuery(caller.queryText, []);
    const level = levelOf(body, 'first');
    const dryRun = body.dry_run ?? false;
    const decided = await this.decide(body, { caller, level, dryRun });
    const { refusal, decision } = decided;
    if (!dryRun) this.decisions.keep(decision);
    caller.auditContext?.note({ isDryRun: dryRun });
    if (refusal !== null) {
      const view = { level: level === 'none' ? 'summary' : level } as const;
      const shown = await this.presented(decision, view, caller);
      throw new DomainError(refusal.code, refusal.message, { decision: shown });
    }
    caller.auditContext?.note({ after: presentPlacements(decided.placements) });
    const selections = await this.selectionsOf(decided.placements, caller);
    if (level === 'none') return { request_id: requestId, selections };
    const shown = await this.presented(decision, { level }, caller);
    return { request_id: requestId, selections, decision: shown };
  }

  @Post('scheduler/explain')
  @Operation(
    'explainDestinations',
    'Shows which host would be selected, and why every other host was rejected.',
    json(EXPLANATION),
    { query: { host: TEXT } },
  )
  @ClientFunction('scheduler.explain', { isHandWritten: true })
  @Policy('berth:scheduler:explain')
  @ChangesNothing()
  @Weighed()
  async explain(
    @DtoBody(SelectDestinationsDto) body: SelectDestinationsDto,
    @Context() caller: RequestContext,
  ): Promise<object> {
    const { requestId } = caller;
    const host = knownQuery(caller.queryText, ['host']).last('host');
    const level = levelOf(body, 'all');
    const { decision, placements, refusal } = await this.decide(body, { caller, level, dryRun: true });
    const view = { level: level === 'none' ? 'summary' : level, host } as const;
    return {
      request_id: requestId,
      outcome: decision.outcome,
      ...(refusal !== null && { code: refusal.code, message: refusal.message }),
      selections: await this.selectionsOf(placements, caller),
      decision: await this.presented(decision, view, caller),
    };
  }

  /** A batch can have thousands of instances. */
  private async selectionsOf(placements: readonly Placement[], caller: RequestContext): Promise<readonly object[]> {
    const selections: object[] = [];
    const add = (placement: Placement): void =>
      void selections.push(presentSelection(placement, this.pipeline.options));
    await tasks.forEach(placements, add, caller);
    return selections;
  }

  /** A complete pass has a hundred hosts with a dozen weights each. */
  private async presented(decision: Decision, view: DecisionView, caller: RequestContext): Promise<DecisionDocument> {
    const passes: DecisionDocument['passes'][number][] = [];
    await tasks.forEach(decision.passes, (pass) => passes.push(presentPass(pass, view)), caller);
    return presentDecision(decision, view, passes);
  }

  private decide(
    body: SelectDestinationsDto,
    {
      caller,
      level,
      dryRun,
    }: { readonly caller: RequestContext; readonly level: ExplainLevel; readonly dryRun: boolean },
  ): Promise<Decided> {
    const { requestId } = caller;
    const { return_alternates: returnAlternates = true, seed } = body;
    const how = { mode: level === 'all' ? 'all' : 'first', explains: explainsAt(level) } as const;
    return this.scheduler.decide({ ...how, body, requestId, caller, dryRun, returnAlternates, seed });
  }
}
