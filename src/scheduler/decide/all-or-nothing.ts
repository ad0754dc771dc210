// The end of a decision: all claims of the request are kept, or all are released.

import type { WriteTx } from '../../platform/database/sql';
import type { HostClaimer } from '../claim/host-claimer';
import type { BatchResult } from '../claim/place-batch';
import type { Placement } from '../claim/placement';
import { noHostLeft, Refused } from './refused';

interface Ending {
  readonly claimer: HostClaimer;
  readonly isRepeatable: boolean;
  readonly command: { readonly conclude?: (tx: WriteTx, placed: readonly string[]) => Promise<void> };
}

/**
 * Returns the placements. Otherwise releases every claim of the request, then throws the refusal or rethrows. A refusal
 * is not explained if another try follows.
 */
export async function allOrNothing(
  run: Promise<BatchResult>,
  { claimer, isRepeatable, command }: Ending,
  explainRefusal: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly Placement[]> {
  let result: BatchResult;
  try {
    result = await run;
    if (result.kind === 'placed') await claimer.finish(result.placements, command.conclude);
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
  if (!result.lost || !isRepeatable) await explainRefusal();
  throw noHostLeft(result.lost ? 'scheduler.claims_lost' : 'scheduler.no_valid_host');
}
