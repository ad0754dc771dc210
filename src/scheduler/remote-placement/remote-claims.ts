// Claims in a Placement service that runs elsewhere. No transaction covers it and Berth's database, so each claim has
// three steps: record the intent, send the claim, record the placement. Every claim belongs to an open batch; a batch that
// is not finished is rolled back by its process, or by another one.

import { Injectable } from '@nestjs/common';
import { InstancesService } from '../../compute/instances/instances.service';
import { ClaimCounters } from '../../placement/allocations/claim-counters';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import { tracing } from '../../platform/tracing/tracing';
import { DomainError, InvalidInput, OutcomeUnknown, Unavailable } from '../../platform/values/errors';
import { BatchedClaims, placedInstanceOf } from '../claim/batched-claims';
import { ClaimBatches } from '../claim/claim-batches';
import { PolicyViolated } from '../claim/group-policy';
import type { ClaimBatch, ClaimRefusal, ClaimRequest, HeldInstance } from '../ports';
import { newBatch } from '../ports';
import type { ClaimIntent } from './remote-claims.repository';
import { confirmIntents, hasIntent, insertIntents, removeIntents } from './remote-claims.repository';
import { RemoteConsumers } from './remote-consumers';
import { RemoteGroupPolicy } from './remote-group-policy';
import { RemoteRollback } from './remote-rollback';

const COUNTED = {
  no_capacity: 'no_capacity',
  conflict: 'concurrent_update',
  consumer_exists: 'consumer_generation',
  policy: 'group_policy',
} as const;

@Injectable()
export class RemoteClaims extends BatchedClaims {
  constructor(
    db: Database,
    protected override readonly consumers: RemoteConsumers,
    instances: InstancesService,
    batches: ClaimBatches,
    private readonly groups: RemoteGroupPolicy,
    private readonly rollback: RemoteRollback,
    private readonly counters: ClaimCounters,
  ) {
    super(db, consumers, instances, batches);
  }

  override async held(instanceUuid: string): Promise<HeldInstance | undefined> {
    if (await this.db.read((sql) => hasIntent(sql, instanceUuid))) {
      throw new Unavailable(`An earlier claim of instance ${instanceUuid} is not settled yet.`);
    }
    return super.held(instanceUuid);
  }

  async claim(requests: readonly ClaimRequest[], batch: ClaimBatch): Promise<'claimed' | ClaimRefusal> {
    try {
      const answer = await tracing.within('stage', 'claim', () => this.claimNow(requests, batch));
      if (answer === 'claimed') this.counters.granted.scheduler += requests.length;
      else this.counters.refuse('scheduler', COUNTED[answer.outcome], requests.length);
      return answer;
    } catch (error) {
      this.counters.refuse('scheduler', error instanceof Unavailable ? 'unavailable' : 'failed', requests.length);
      throw error;
    }
  }

  private async claimNow(requests: readonly ClaimRequest[], batch: ClaimBatch): Promise<'claimed' | ClaimRefusal> {
    refuseOfBerth(requests);
    if (!batch.isOpen) await this.batches.open(batch);
    const intents = requests.map(intentOf);
    const consumers = intents.map(({ consumerUuid }) => consumerUuid);
    await this.db.write(async (tx) => {
      await this.batches.holdIn(tx, batch);
      await insertIntents(tx, batch.uuid, intents);
    });
    const refusal = await this.send(intents).catch(async (error: unknown) => {
      // Otherwise the claim was certainly not executed.
      if (!(error instanceof OutcomeUnknown)) await this.db.write((tx) => removeIntents(tx, batch.uuid, consumers));
      throw error;
    });
    if (refusal !== null) {
      await this.db.write((tx) => removeIntents(tx, batch.uuid, consumers));
      return refusal;
    }
    return this.record(requests, intents, batch);
  }

  /** Null: all were claimed. */
  private async send(intents: readonly ClaimIntent[]): Promise<ClaimRefusal | null> {
    const { outcome, answer } = await this.consumers.write(
      intents.map(({ before, ...intent }) => ({ ...intent, generation: before?.generation ?? null })),
    );
    if (outcome === 'written') return null;
    const { kind, status, detail: message } = answer;
    if (outcome === 'concurrent') return { outcome: 'conflict', message };
    if (outcome === 'consumer') {
      // A claim that was sent twice conflicts with itself.
      if (answer.isRepeated && (await this.areAllOurs(intents))) return null;
      return { outcome: 'consumer_exists', message };
    }
    // A deleted provider counts as one without capacity.
    if (kind === 'conflict' || (kind === 'invalid' && message.includes('does not exist'))) {
      return { outcome: 'no_capacity', message };
    }
    throw new InvalidInput(`Placement refuses the claim with ${status}: ${message}`);
  }

  private async areAllOurs(intents: readonly ClaimIntent[]): Promise<boolean> {
    for (const intent of intents) if (!(await this.rollback.isOurs(intent))) return false;
    return true;
  }

  /** The records, after a check of the group policies. */
  private async record(
    requests: readonly ClaimRequest[],
    intents: readonly ClaimIntent[],
    batch: ClaimBatch,
  ): Promise<'claimed' | ClaimRefusal> {
    const consumers = intents.map(({ consumerUuid }) => consumerUuid);
    try {
      const groups = await this.groups.locate(requests);
      const nowMs = Date.now();
      await this.db.write(async (tx) => {
        await this.batches.holdIn(tx, batch);
        await this.groups.checkIn(tx, groups, nowMs);
        await confirmIntents(tx, batch.uuid, consumers);
        const placed = requests.map((request) => placedInstanceOf(request, batch.uuid));
        await this.instances.insertPlacedIn(tx, placed, nowMs);
      });
      return 'claimed';
    } catch (error) {
      // Another process possibly rolled the batch back before this claim arrived.
      await this.undoApart(intents, batch);
      if (error instanceof PolicyViolated) {
        return { outcome: 'policy', message: error.message, groupHosts: error.groupHosts };
      }
      throw error;
    }
  }

  /** Undoes these claims alone, in a batch of their own. Throws if Berth's database fails; then their batch undoes them. */
  private async undoApart(intents: readonly ClaimIntent[], { uuid, requestId }: ClaimBatch): Promise<void> {
    const apart = newBatch(requestId);
    await this.batches.open(apart);
    await this.db.write(async (tx) => {
      await insertIntents(tx, apart.uuid, intents, { areConfirmed: true });
      const consumers = intents.map(({ consumerUuid }) => consumerUuid);
      await removeIntents(tx, uuid, consumers);
    });
    await this.batches.undo(apart);
  }

  protected override async closedIn(tx: WriteTx, batch: ClaimBatch): Promise<void> {
    await removeIntents(tx, batch.uuid);
  }
}

/** Moves and server groups of Berth's own registries need its own Placement. */
function refuseOfBerth(requests: readonly ClaimRequest[]): void {
  const isMove = requests.some(({ replaces }) => replaces !== undefined);
  if (!isMove && !requests.some(({ group }) => group !== null && group.foreign === undefined)) return;
  const what = isMove ? 'Moves of instances by Berth' : 'Server groups of Berth';
  throw new DomainError('scheduler.unsupported', `${what} are not available with [nova] placement = remote.`);
}

const intentOf = ({ consumerUuid, allocations, projectId, userId, existing }: ClaimRequest): ClaimIntent => ({
  consumerUuid,
  allocations,
  projectId,
  userId,
  before: existing === undefined ? null : { generation: existing.generation, allocations: existing.allocations },
});
