// The steps after a placement: reschedule after a failed build, move, confirm or revert the move. The pipeline judges
// every new host, and one transaction replaces the instance's old claim by the new one.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { InstanceRecord } from '../../compute/instances/instance.entity';
import type { Move } from '../../compute/instances/instance.entity';
import { InstancesService } from '../../compute/instances/instances.service';
import { invalidField } from '../../compute/registry-refusals';
import { ServerGroupsService } from '../../compute/server-groups/server-groups.service';
import type { ConsumerAllocations, ConsumerWrite } from '../../placement/allocations/allocations.commands';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import { Database } from '../../platform/database/database';
import { ConcurrentUpdate, DomainError } from '../../platform/values/errors';
import { fieldFault } from '../../platform/values/field-fault';
import type { Uuid } from '../../platform/values/uuid';
import type { Decision } from '../../scheduling-rules/pipeline/decision';
import { DecisionRecorder } from '../../scheduling-rules/pipeline/explanation';
import { allocationsOf } from '../adapters/local-consumers';
import { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import type { Decided } from '../decide/decision-run';
import { DecisionStore } from '../decisions/decision-store';
import { presentDecision } from '../decisions/decision.presenter';
import type { ClaimedHost, OfferedHost, SchedulerCaller } from '../ports';
import type { SelectDestinationsDto } from '../request/request.schema';
import { SchedulerService } from '../scheduler.service';
import type { TriedHost, WantedMove } from './request-again';
import { alternatesOf, canStay, isForcedToOne, keepsAlternates, moveRequest, onHost, placeOf } from './request-again';
import { storedRequest, triedOf, withoutHosts } from './request-again';

interface BuildFailure {
  readonly host: string;
  /** Null: not specified. */
  readonly node: string | null;
  readonly reason: string | null;
}

export interface PlacedAgain {
  readonly decided: Decided;
  readonly attempts: number;
  /** The remaining remembered alternates; null: those of the new decision. */
  readonly alternates: readonly OfferedHost[] | null;
}

interface Moved {
  readonly decided: Decided;
  /** Null: the instance had no allocations to keep. */
  readonly migrationUuid: Uuid | null;
}

/** An instance whose build failed, and its current claim. */
interface Failed {
  readonly instance: InstanceRecord;
  readonly currentAllocations: ConsumerAllocations;
  readonly tried: readonly TriedHost[];
  readonly caller: SchedulerCaller;
}

const PLACING = { dryRun: false, explains: 'empty' } as const;

const conflict = (message: string): DomainError => new DomainError('scheduler.generation_conflict', message);
const busy = (message: string): DomainError => new DomainError('scheduler.in_use', message);

@Injectable()
export class AfterDecisionService {
  constructor(
    private readonly db: Database,
    private readonly scheduler: SchedulerService,
    private readonly instances: InstancesService,
    private readonly allocations: AllocationsService,
    private readonly groups: ServerGroupsService,
    private readonly decisions: DecisionStore,
    private readonly pipeline: SchedulerPipeline,
  ) {}

  /**
   * Places the instance on the next remembered alternate that still fits, or on another host that the pipeline finds.
   * Throws attempts_exhausted if there is none or the maximum of attempts is reached; the claim is then released, or
   * the move reverted.
   */
  async buildFailed(uuid: Uuid, failure: BuildFailure, caller: SchedulerCaller): Promise<PlacedAgain> {
    const { instance, allocations: currentAllocations } = await this.instances.get(uuid);
    if (failure.host !== instance.host)
      throw conflict(fieldFault('host', `is not ${instance.host}, where the instance is`));
    if (failure.node !== null && failure.node !== instance.node) {
      throw conflict(fieldFault('node', `is not ${instance.node} of host ${instance.host}, where the instance is`));
    }
    if (currentAllocations === undefined) throw conflict(`Instance ${uuid} has no allocations any more.`);
    const tried = [...triedOf(instance), { ...placeOf(instance), reason: failure.reason }] as readonly TriedHost[];
    const failed: Failed = { instance, currentAllocations, tried, caller };
    const isOver = instance.attempts >= this.pipeline.options.maxAttempts || isForcedToOne(storedRequest(instance));
    if (isOver) throw await this.exhausted(failed, null);
    const onAlternate = await this.nextAlternate(failed);
    if (onAlternate !== null) return onAlternate;
    // Nova does not run the scheduler again in this case.
    if (this.pipeline.options.novaCompat) throw await this.exhausted(failed, null);
    const decided = await this.again(failed, withoutHosts(instance, tried), { alternates: true });
    if (decided.refusal?.outcome === 'no_valid_host') throw await this.exhausted(failed, decided.decision);
    return { decided: this.kept(decided), attempts: instance.attempts + 1, alternates: null };
  }

  private async nextAlternate(failed: Failed): Promise<PlacedAgain | null> {
    const { instance, tried } = failed;
    const isTried = ({ host }: ClaimedHost): boolean => tried.some((each) => each.host === host);
    const alternates = alternatesOf(instance).filter((alternate) => !isTried(alternate));
    for (const [at, alternate] of alternates.entries()) {
      const decided = await this.again(failed, onHost(withoutHosts(instance, tried), alternate), { alternates: false });
      if (decided.refusal?.outcome === 'no_valid_host') continue;
      const left = alternates.slice(at + 1);
      this.kept(decided);
      await this.db.write((tx) =>
        this.instances.rememberAlternatesIn(tx, [{ instanceUuid: instance.uuid, alternates: left }]),
      );
      return { decided, attempts: instance.attempts + 1, alternates: left };
    }
    return null;
  }

  private again(
    { instance, currentAllocations, tried, caller }: Failed,
    body: SelectDestinationsDto,
    { alternates: returnAlternates }: { readonly alternates: boolean },
  ): Promise<Decided> {
    const { flavorId, imageUuid, state } = instance;
    const replaces = { generation: currentAllocations.generation, before: instance, flavorId, imageUuid, move: null };
    return this.scheduler.decide({
      ...PLACING,
      body,
      caller,
      requestId: caller.requestId,
      returnAlternates,
      attempts: instance.attempts + 1,
      tried,
      replaces: { ...replaces, state: state === 'moving' ? 'moving' : 'placed' },
    });
  }

  /** Stores the decision. Throws its refusal. */
  private kept(decided: Decided): Decided {
    const { decision, refusal } = decided;
    this.decisions.keep(decision);
    if (refusal === null) return decided;
    throw new DomainError(refusal.code, refusal.message, { decision: presentDecision(decision, { level: 'first' }) });
  }

  /** Releases the claim of an instance that cannot be built; reverts a move that cannot be finished. */
  private async exhausted(failed: Failed, last: Decision | null): Promise<DomainError> {
    const { instance, caller } = failed;
    const code = 'scheduler.attempts_exhausted';
    const message =
      'Exceeded maximum number of retries. Exhausted all hosts available for retrying build failures for instance ' +
      `${instance.uuid}.`;
    if (instance.state === 'moving') await this.revertMove(instance.uuid);
    else await this.releaseUnchanged(instance);
    const nowMs = Date.now();
    const { driver } = this.pipeline.parts;
    const decision =
      last ??
      new DecisionRecorder({
        requestId: caller.requestId,
        startedMs: nowMs,
        seed: 0,
        driver: driver.name,
        configRevision: this.pipeline.revision,
      }).close({ outcome: 'no_valid_host', code, reason: message, nowMs });
    this.decisions.keep({ ...decision, code });
    const shown = presentDecision({ ...decision, code }, { level: 'first' });
    return new DomainError(code, message, { decision: shown });
  }

  private releaseUnchanged({ uuid, host, node, attempts }: InstanceRecord): Promise<void> {
    return this.db.write(async (tx) => {
      const now = (await this.instances.releaseIn(tx, [uuid], Date.now())).get(uuid);
      if (now?.host !== host || now.node !== node || now.attempts !== attempts) {
        throw conflict(`Instance ${uuid} was changed by another request. Read it again.`);
      }
    });
  }

  /**
   * Claims a target for the instance. A migration consumer holds the current allocations until the move is confirmed or
   * reverted. Throws the refusal of the decision; nothing has changed then.
   */
  async move(uuid: Uuid, requestedMove: WantedMove, caller: SchedulerCaller): Promise<Moved> {
    const { instance, allocations: currentAllocations, move } = await this.instances.get(uuid);
    // A stale move remains if the allocations were removed in the meantime and the instance was placed again.
    if (instance.state === 'moving' || move !== undefined)
      throw busy(`Instance ${uuid} is being moved: confirm or revert that first.`);
    const { allowResizeToSameHost } = this.pipeline.options;
    refuseInvalidMove(instance, requestedMove, allowResizeToSameHost);
    if (currentAllocations === undefined && requestedMove.type !== 'unshelve')
      throw conflict(`Instance ${uuid} has no allocations any more.`);
    const migrationUuid = currentAllocations === undefined ? null : randomUUID();
    const decided = await this.scheduler.decide({
      ...PLACING,
      body: moveRequest(instance, requestedMove, allowResizeToSameHost),
      caller,
      requestId: caller.requestId,
      returnAlternates: keepsAlternates(requestedMove.type),
      replaces: {
        generation: currentAllocations?.generation ?? null,
        before: instance,
        state: currentAllocations === undefined ? 'placed' : 'moving',
        move:
          currentAllocations === undefined || migrationUuid === null
            ? null
            : { migrationUuid, type: requestedMove.type, allocations: allocationsOf(currentAllocations) },
        flavorId: requestedMove.flavor === null ? instance.flavorId : null,
        imageUuid: instance.imageUuid,
      },
    });
    return { decided: this.kept(decided), migrationUuid };
  }

  /**
   * The instance stays on the target, and its old allocations are released. Throws if the instance is not being moved.
   */
  async confirmMove(uuid: Uuid): Promise<void> {
    const move = await this.moveOf(uuid);
    await this.db.write((tx) => this.instances.confirmMoveIn(tx, move, Date.now()));
  }

  /**
   * The instance gets its old allocations back, and the target is released. Throws if the instance is not being moved.
   */
  async revertMove(uuid: Uuid): Promise<void> {
    const move = await this.moveOf(uuid);
    const [target, source] = [
      await this.allocations.ofConsumer(uuid),
      await this.allocations.ofConsumer(move.migrationUuid),
    ];
    if (source === undefined) throw conflict(`The allocations of instance ${uuid} from before the move are gone.`);
    const writes = revertingWrites(move, source, target);
    const owners = await this.allocations.ensureOwners(writes);
    const nowMs = Date.now();
    try {
      await this.db.write(async (tx) => {
        const { groupUuid, host } = move.source;
        const group = groupUuid === null ? undefined : await this.groups.lockGroupIn(tx, groupUuid);
        if (group !== undefined) await this.groups.addMembersIn(tx, group, [{ uuid, host }], nowMs);
        await this.allocations.replaceIn(tx, { writes, owners }, nowMs);
        await this.instances.revertMoveIn(tx, move, nowMs);
      });
    } catch (error) {
      if (error instanceof ConcurrentUpdate)
        throw conflict(`Instance ${uuid} was changed by another request. Read it again.`);
      throw error;
    }
  }

  private async moveOf(uuid: Uuid): Promise<Move> {
    const { move } = await this.instances.get(uuid);
    if (move === undefined) throw busy(`Instance ${uuid} is not being moved.`);
    return move;
  }
}

function refuseInvalidMove(
  { host }: InstanceRecord,
  { type, flavor, target }: WantedMove,
  allowResizeToSameHost: boolean,
): void {
  if (type === 'resize' && flavor === null) throw invalidField('flavor', 'must be given for a resize');
  if (type !== 'resize' && flavor !== null) throw invalidField('flavor', `is changed by a resize only, not by ${type}`);
  if (target?.host === host && !canStay(type, allowResizeToSameHost))
    throw invalidField('target.host', `is ${host}, where the instance is already`);
}

/** All allocations go back to the instance, none stay with the migration; usage changes by the difference only. */
function revertingWrites(
  { instanceUuid, migrationUuid }: Move,
  source: ConsumerAllocations,
  target: ConsumerAllocations | undefined,
): readonly ConsumerWrite[] {
  const owner = { projectId: source.projectId, userId: source.userId };
  return [
    {
      ...owner,
      consumerUuid: instanceUuid,
      consumerType: 'INSTANCE',
      allocations: new Map(source.shares.map(({ providerUuid, resources }) => [providerUuid, resources])),
      expectedGeneration:
        target === undefined ? { kind: 'mustBeNew' } : { kind: 'expect', generation: target.generation },
    },
    {
      ...owner,
      consumerUuid: migrationUuid,
      consumerType: 'MIGRATION',
      allocations: new Map(),
      expectedGeneration: { kind: 'expect', generation: source.generation },
    },
  ];
}
