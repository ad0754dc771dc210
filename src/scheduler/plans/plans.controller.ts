import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { listQueryOf, presentPage, refuseQuery } from '../../compute/registry-page';
import { uuidInPath } from '../../compute/registry-path';
import { pageParameters, pageSchemaOf } from '../../compute/registry.responses';
import type { Answer } from '../../platform/http/answer';
import { created, noContent, ok, pathOf } from '../../platform/http/answer';
import { DtoBody } from '../../platform/http/dto-body.decorator';
import { ClientFunction, json, located, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Audited, Context, Policy, Weighed } from '../../platform/http/route.decorators';
import { PLAN, PLAN_HEAD } from './plan.presenter';
import { MoveOutcomeDto, PlanDto } from './plans.schema';
import { PlansService } from './plans.service';

const ASKED = ['goal', 'hosts', 'host_aggregates', 'availability_zones', 'count', 'max_moves'];

@Controller('scheduler/plans')
export class PlansController {
  constructor(private readonly plans: PlansService) {}

  @Post()
  @Operation('createPlan', 'Plans moves of instances, and moves nothing.', { 201: located(json(PLAN.schema)) })
  @ClientFunction('scheduler.plans.create')
  @Policy('berth:scheduler:plans:create')
  @Audited('create', 'scheduler/plan', ASKED)
  @Weighed()
  async create(@DtoBody(PlanDto) body: PlanDto, @Context() caller: RequestContext): Promise<Answer> {
    refuseQuery(caller.queryText);
    const plan = await this.plans.make(body, caller);
    return created(pathOf('scheduler', 'plans', plan.uuid), PLAN.present({ id: 0, ...plan }));
  }

  @Get()
  @Operation('listPlans', 'Lists plans, newest first.', json(pageSchemaOf('Plans', 'plans', PLAN_HEAD.schema)), {
    query: pageParameters({}),
  })
  @ClientFunction('scheduler.plans.list')
  @Policy('berth:scheduler:plans:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    return ok(presentPage('plans', await this.plans.list(listQueryOf(queryText, [])), PLAN_HEAD.present));
  }

  @Get(':id')
  @Operation('showPlan', 'Shows a plan with the outcomes of its moves.', json(PLAN.schema))
  @ClientFunction('scheduler.plans.get')
  @Policy('berth:scheduler:plans:show')
  async show(@Param('id') id: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    return ok(PLAN.present(await this.plans.get(uuidInPath('id', id))));
  }

  @Delete(':id')
  @Operation('deletePlan', 'Deletes a plan.', NOTHING)
  @ClientFunction('scheduler.plans.delete')
  @Policy('berth:scheduler:plans:delete')
  @Audited('delete', 'scheduler/plan')
  async remove(@Param('id') id: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    await this.plans.remove(uuidInPath('id', id));
    return noContent();
  }

  @Post(':id/moves/:number')
  @Operation('reportMoveOutcome', 'Records the outcome of a move of a plan.', json(PLAN_HEAD.schema))
  @ClientFunction('scheduler.plans.report')
  @Policy('berth:scheduler:plans:report')
  @Audited('update/move', 'scheduler/plan', ['state', 'message', 'reason'])
  async report(
    @Param('id') id: string,
    @Param('number') number: string,
    @DtoBody(MoveOutcomeDto) { state, message = null, reason = null }: MoveOutcomeDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const outcome = { state, message, reason, at: new Date().toISOString() };
    return ok(PLAN_HEAD.present(await this.plans.report(uuidInPath('id', id), Number(number), outcome)));
  }
}
