// The claims tried for one instance: details of the first ones, and counts of all by outcome. In a large batch, one
// instance can pass thousands of hosts that earlier instances filled.

import type { ClaimOutcome, ClaimRecord } from '../../scheduling-rules/pipeline/decision';
import { CLAIMS_KEPT } from '../../scheduling-rules/pipeline/limits';

export class ClaimLog {
  readonly kept: ClaimRecord[] = [];
  private readonly met: Partial<Record<ClaimOutcome, number>> = {};
  private tries = 0;
  private hasSentClaims = false;

  add(records: readonly ClaimRecord[]): void {
    for (const record of records) {
      this.tries += 1;
      this.met[record.outcome] = (this.met[record.outcome] ?? 0) + 1;
      if (record.attempts > 0) this.hasSentClaims = true;
      // The successful claim is always included.
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

  /** At least one claim was sent, so other requests can have taken the planned capacity. */
  get hasAsked(): boolean {
    return this.hasSentClaims;
  }

  get consumerExists(): boolean {
    return this.met.consumer_exists !== undefined;
  }
}
