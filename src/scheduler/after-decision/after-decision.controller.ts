import { Controller, Param, Post } from '@nestjs/common';
import { INSTANCE, presentInstance } from '../../compute/instances/instances.responses';
import { InstancesService } from '../../compute/instances/instances.service';
import { refuseQuery } from '../../compute/registry-page';
import { uuidInPath } from '../../compute/registry-path';
import { DtoBody } from '../../platform/http/dto-body.decorator';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Audited, Context, Policy, Weighed } from '../../platform/http/route.decorators';
import { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import { ALLOCATION_REQUEST_VERSION, PLACED, presentPlacements, presentSelections } from '../scheduler.presenter';
import { MOVING, PLACED_AGAIN } from '../scheduler.responses';
import { BuildFailedDto, MoveDto } from './after-decision.schema';
import type { PlacedAgain } from './after-decision.service';
import { AfterDecisionService } from './after-decision.service';

@Controller('scheduler/instances/:uuid')
export class AfterDecisionController {
  constructor(
    private readonly after: AfterDecisionService,
    private readonly instances: InstancesService,
    private readonly pipeline: SchedulerPipeline,
  ) {}

  @Post('build_failed')
  @Operation(
    'reportBuildFailed',
    'Moves the claim of an instance whose build failed to another host.',
    json(PLACED_AGAIN),
  )
  @ClientFunction('scheduler.instances.buildFailed')
  @Policy('berth:scheduler:instances:build_failed')
  @Audited('update/build_failed', 'scheduler/instance', ['host', 'node', ...PLACED])
  @Weighed()
  async buildFailed(
    @Param('uuid') uuid: string,
    @DtoBody(BuildFailedDto) { host, node = null, reason = null }: BuildFailedDto,
    @Context() caller: RequestContext,
  ): Promise<object> {
    const { requestId, queryText } = caller;
    refuseQuery(queryText);
    const again = await this.after.buildFailed(uuidInPath('uuid', uuid), { host, node, reason }, caller);
    caller.auditContext?.note({ after: presentPlacements(again.decided.placements) });
    return { request_id: requestId, attempts: again.attempts, selections: this.selectionsOf(again) };
  }

  @Post('move')
  @Operation(
    'moveInstance',
    'Claims another place for an instance, which keeps what it has until the move ends.',
    json(MOVING),
  )
  @ClientFunction('scheduler.instances.move')
  @Policy('berth:scheduler:instances:move')
  @Audited('update/move', 'scheduler/instance', ['type', 'target', 'migration_uuid', ...PLACED])
  @Weighed()
  async move(
    @Param('uuid') uuid: string,
    @DtoBody(MoveDto) { type, flavor = null, target = null, ignore_hosts: ignored }: MoveDto,
    @Context() caller: RequestContext,
  ): Promise<object> {
    const { requestId, queryText } = caller;
    refuseQuery(queryText);
    const named = typeof target === 'string' ? { host: target } : target;
    const requestedMove = {
      type,
      flavor,
      ignoreHosts: ignored ?? [],
      target: named === null ? null : { host: named.host, node: 'node' in named ? (named.node ?? null) : null },
    };
    const { decided, migrationUuid } = await this.after.move(uuidInPath('uuid', uuid), requestedMove, caller);
    caller.auditContext?.note({ after: { migration_uuid: migrationUuid, ...presentPlacements(decided.placements) } });
    const selections = presentSelections(decided.placements, this.pipeline.options);
    return { request_id: requestId, type, migration_uuid: migrationUuid, selections };
  }

  @Post('confirm_move')
  @Operation('confirmMove', 'Ends a move: the instance stays where it went.', json(INSTANCE))
  @ClientFunction('scheduler.instances.confirmMove')
  @Policy('berth:scheduler:instances:move')
  @Audited('update/confirm_move', 'scheduler/instance')
  async confirm(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<object> {
    refuseQuery(queryText);
    await this.after.confirmMove(uuidInPath('uuid', uuid));
    return this.shown(uuid);
  }

  @Post('revert_move')
  @Operation('revertMove', 'Ends a move: the instance returns to its source host.', json(INSTANCE))
  @ClientFunction('scheduler.instances.revertMove')
  @Policy('berth:scheduler:instances:move')
  @Audited('update/revert_move', 'scheduler/instance')
  async revert(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<object> {
    refuseQuery(queryText);
    await this.after.revertMove(uuidInPath('uuid', uuid));
    return this.shown(uuid);
  }

  private async shown(uuid: string): Promise<object> {
    return presentInstance(await this.instances.get(uuidInPath('uuid', uuid)));
  }

  /** The alternates of the decision, or the remaining remembered ones. */
  private selectionsOf({ decided, alternates }: PlacedAgain): readonly object[] {
    const selections = presentSelections(decided.placements, this.pipeline.options);
    if (alternates === null) return selections;
    const left = alternates.map(({ host, node, uuid, cell, allocations, mappings }) => ({
      host,
      node,
      uuid,
      cell,
      allocation_request: { allocations, mappings },
      allocation_request_version: ALLOCATION_REQUEST_VERSION,
    }));
    return selections.map((selection) => ({ ...selection, alternates: left }));
  }
}
