// Answers `select_destinations` of nova's conductors with the scheduler of this process.

import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { HTTP_LIMITS } from '../../platform/config/limits/http';
import { validDocument } from '../../platform/http/dto-body.decorator';
import type { DecisionLog, WarnLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { InvalidInput, Unavailable } from '../../platform/values/errors';
import type { JsonObject } from '../../platform/values/json-object';
import { SchedulerPipeline } from '../../scheduler/assemble/scheduler-pipeline';
import type { DecideCommand, Decided } from '../../scheduler/decide/decision-run';
import { explainsAt } from '../../scheduler/decide/placement-search';
import type { SchedulingRefusal } from '../../scheduler/decide/refused';
import { DecisionStore } from '../../scheduler/decisions/decision-store';
import type { SchedulerCaller } from '../../scheduler/ports';
import { SelectDestinationsDto } from '../../scheduler/request/request.schema';
import { SchedulerService } from '../../scheduler/scheduler.service';
import { PolledNovaFacts } from '../cells/polled-nova-facts';
import { noValidHost, runtimeError } from '../objects/failure';
import { NovaObjectError } from '../objects/versioned-object';
import type { ReplyOutcome, RpcAnswer, RpcContext } from '../rpc/rpc-methods';
import { RpcFailure } from '../rpc/rpc-methods';
import { AbsentCells } from './absent-cells';
import { callArgumentsOf } from './call-arguments';
import { CallRecords } from './call-records';
import type { CallRecord } from './call-records.repository';
import { failureOfRefusal, isTemporary } from './failure-of-refusal';
import { CALL_LIMITS } from './limits';
import { requestBody } from './request-body';
import { selectionsOf } from './selections';

/** For calls whose context names no request. */
const NO_REQUEST_ID = 'none';

/** The caller that waits for a decision. */
interface Waiting {
  readonly record: CallRecord | null;
  readonly signal: AbortSignal;
  readonly expiresAtMs: number;
}

@Injectable()
export class NovaScheduler {
  private readonly absentCells: AbsentCells;

  constructor(
    @Inject(SchedulerService) private readonly scheduler: Pick<SchedulerService, 'decide'>,
    private readonly pipeline: SchedulerPipeline,
    @Inject(DecisionStore) private readonly decisions: Pick<DecisionStore, 'keep'>,
    @Inject(CallRecords) private readonly records: Pick<CallRecords, 'open' | 'close' | 'release' | 'undo'>,
    @Inject(PolledNovaFacts) facts: Pick<PolledNovaFacts, 'status' | 'refresh'>,
    @Inject(LOGGER) private readonly log: DecisionLog & WarnLog,
  ) {
    this.absentCells = new AbsentCells(facts);
  }

  /** Throws RpcFailure with the exception that the conductor expects. */
  async selectDestinations(args: JsonObject, context: RpcContext, signal: AbortSignal): Promise<RpcAnswer> {
    const requestId = context.requestId ?? context.messageId ?? NO_REQUEST_ID;
    try {
      return await this.decided(args, context, { requestId, signal });
    } catch (error) {
      if (error instanceof RpcFailure) throw error;
      if (error instanceof NovaObjectError) throw new RpcFailure(runtimeError(error.message));
      if (error instanceof InvalidInput) {
        this.log.warn({ reason: error.message, request_id: requestId }, 'a request of nova is invalid');
        throw new RpcFailure(noValidHost(`${error.message} (request ${requestId})`));
      }
      this.log.warn({ err: error, request_id: requestId }, 'a call of nova failed');
      throw new RpcFailure(runtimeError(`The scheduler failed (request ${requestId}).`));
    }
  }

  private async decided(
    args: JsonObject,
    context: RpcContext,
    { requestId, signal }: { readonly requestId: string; readonly signal: AbortSignal },
  ): Promise<RpcAnswer> {
    const { spec, instances, returnAlternates } = callArgumentsOf(args);
    const { body: document, ignored } = requestBody(spec, instances, context);
    const body = await validDocument(SelectDestinationsDto, document, HTTP_LIMITS.documentBytes);
    const command: DecideCommand = {
      body,
      requestId,
      dryRun: false,
      explains: explainsAt('first'),
      returnAlternates,
      locksInlineGroup: true,
      alsoIgnored: ignored,
      caller: new Conductor(context, requestId, signal),
    };
    const remainingMs = (context.expiresAtMs ?? Date.now() + CALL_LIMITS.callMs) - Date.now();
    const isCheck = spec.checkType !== null;
    const expiresAtMs = Date.now() + remainingMs;
    const open = (): Promise<CallRecord> => this.records.open(requestId, instances, expiresAtMs - Date.now());
    const record = isCheck ? null : await this.openedInTime(open, { signal, expiresAtMs });
    // After an error, the record stays: it is not known what was claimed.
    const { decision, placements, refusal } = await this.decidedInTime(command, { record, signal, expiresAtMs });
    this.decisions.keep(decision);
    if (refusal !== null) {
      if (record !== null) await this.closeRefused(record, refusal);
      const { userMessage } = decision.summary;
      const instanceUuid = instances[0] ?? '';
      throw new RpcFailure(failureOfRefusal({ refusal, userMessage, requestId, instanceUuid }));
    }
    const { defaultAvailabilityZone } = this.pipeline.options;
    try {
      const result = selectionsOf(placements, { defaultAvailabilityZone, isCheck });
      return { result, ...(record !== null && { onReply: (outcome) => this.replied(record, outcome, context) }) };
    } catch (error) {
      if (record !== null) await this.records.undo(record);
      throw error;
    }
  }

  /**
   * Tries again while a database is not reachable and the caller still waits. A claim whose commit was not confirmed can
   * exist, so it is undone before the next attempt.
   */
  private async decidedInTime(command: DecideCommand, { record, signal, expiresAtMs }: Waiting): Promise<Decided> {
    for (let attempt = 0; ; attempt += 1) {
      const alsoIgnored = [...(command.alsoIgnored ?? []), ...this.absentCells.asIgnored()];
      const decided = await this.scheduler.decide({ ...command, alsoIgnored });
      const { refusal, decision } = decided;
      if (this.absentCells.areMissed(decided)) {
        const untilMs = expiresAtMs - CALL_LIMITS.answerMarginMs;
        if (await this.absentCells.areBack(signal, untilMs)) continue;
        return { ...decided, decision: this.absentCells.named(decision) };
      }
      if (refusal === null || !isTemporary(refusal)) return decided;
      if (!(await pausedBeforeRetry(attempt, { signal, expiresAtMs }))) return decided;
      if (record !== null) await this.records.release(record);
    }
  }

  private async openedInTime(open: () => Promise<CallRecord>, waiting: Omit<Waiting, 'record'>): Promise<CallRecord> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await open();
      } catch (error) {
        if (!(error instanceof Unavailable) || !(await pausedBeforeRetry(attempt, waiting))) throw error;
      }
    }
  }

  private closeRefused(record: CallRecord, refusal: SchedulingRefusal): Promise<void> {
    return isTemporary(refusal) ? this.records.undo(record) : this.records.close(record);
  }

  /**
   * An unconfirmed answer can have arrived, and a caller in doubt can have missed a delivered one: the record stays and
   * is judged after the call has expired.
   */
  private async replied(record: CallRecord, outcome: ReplyOutcome, { isCallerInDoubt }: RpcContext): Promise<void> {
    if (outcome === 'delivered' && !isCallerInDoubt) await this.records.close(record);
    if (outcome === 'returned') await this.records.undo(record);
  }
}

/** Returns false, at once, if the caller does not wait for another attempt. */
async function pausedBeforeRetry(
  attempt: number,
  { signal, expiresAtMs }: Pick<Waiting, 'signal' | 'expiresAtMs'>,
): Promise<boolean> {
  const { retryPausesMs, answerMarginMs } = CALL_LIMITS;
  const pauseMs = retryPausesMs[Math.min(attempt, retryPausesMs.length - 1)] ?? 0;
  if (signal.aborted || Date.now() + pauseMs + answerMarginMs > expiresAtMs) return false;
  await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  return true;
}

/** The conductor that waits for the answer. */
class Conductor implements SchedulerCaller {
  readonly globalRequestId: string | null;
  readonly principal: SchedulerCaller['principal'];

  constructor(
    { globalRequestId, userId, projectId }: RpcContext,
    readonly requestId: string,
    private readonly signal: AbortSignal,
  ) {
    this.globalRequestId = globalRequestId;
    this.principal = userId === null ? undefined : { userId, projectId };
  }

  get isGone(): boolean {
    return this.signal.aborted;
  }
}
