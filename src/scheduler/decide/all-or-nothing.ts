// The end of a decision: all claims of the request are kept, or all are released.

import type { BatchResult, BatchRun } from '../claim/place-batch';
import { placeBatch } from '../claim/place-batch';
import type { Placement } from '../claim/placement';
import { noHostLeft, Refused } from './refused';

/**
 * Returns the placements. Otherwise releases every claim of the request, then throws the refusal or rethrows. A refusal
 * is not explained if another try follows.
 */
export async function allOrNothing(
  batch: BatchRun,
  explainRefusal: (isClaimLost: boolean) => Promise<void>,
): Promise<readonly Placement[]> {
  const { claimer } = batch;
  let result: BatchResult;
  try {
    // The caller's write is a further transaction after the claims.
    if (claimer.run.command.conclude !== undefined) await claimer.takesSeveral();
    result = await placeBatch(batch);
    if (result.kind === 'placed') await claimer.finish(result.placements);
  } catch (error) {
    await claimer.release();
    throw error;
  }
  if (result.kind === 'placed') return result.placements;
  await claimer.release();
  if (result.consumerExists) {
    const message =
      claimer.mergeRefusal ?? `Instance ${result.instanceUuid} was changed by another request. Read it again.`;
    throw new Refused({ code: 'scheduler.generation_conflict', outcome: 'failed', message });
  }
  if (!result.lost || !claimer.run.isRepeatable) await explainRefusal(result.lost);
  throw noHostLeft(result.lost ? 'scheduler.claims_lost' : 'scheduler.no_valid_host');
}
