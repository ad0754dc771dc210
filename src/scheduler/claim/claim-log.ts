// What was tried for one instance: the first tries as they were, and of all of them how often each outcome was met. An
// instance of a large batch passes over thousands of hosts that earlier ones filled.

import type { ClaimOutcome, ClaimRecord } from '../../scheduling-rules/pipeline/decision';
import { CLAIMS_KEPT } from '../../scheduling-rules/pipeline/limits';

export class ClaimLog {
  readonly kept: ClaimRecord[] = [];
  private readonly met: Partial<Record<ClaimOutcome, number>> = {};
  private tries = 0;
  private isAnybodyAsked = false;

  add(records: readonly ClaimRecord[]): void {
    for (const record of records) {
      this.tries += 1;
      this.met[record.outcome] = (this.met[record.outcome] ?? 0) + 1;
      if (record.attempts > 0) this.isAnybodyAsked = true;
      // Whoever reads of the tries wants to see the one that succeeded.
      if (this.kept.length < CLAIMS_KEPT || record.outcome === 'claimed') this.kept.push(record);
    }
  }

  /** Tries by outcome. */
  get counts(): Readonly<Record<string, number>> {
    return this.met;
  }

  get isCut(): boolean {
    return this.kept.length < this.tries;
  }

  /** A claim was sent at least once: somebody else may have taken what was planned. */
  get hasAsked(): boolean {
    return this.isAnybodyAsked;
  }

  get consumerExists(): boolean {
    return this.met.consumer_exists !== undefined;
  }
}
