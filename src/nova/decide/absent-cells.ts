// Cells whose databases cannot be read, so that a decision lacks their hosts. They delay no decision that finds a host
// elsewhere, and none that their hosts do not fit either.

import { setTimeout as pause } from 'node:timers/promises';
import type { Decided } from '../../scheduler/decide/decision-run';
import type { Decision } from '../../scheduling-rules/pipeline/decision';
import type { IgnoredField } from '../../scheduling-rules/request-spec/request-spec';
import { wantedTarget } from '../../scheduling-rules/request-spec/target-host';
import type { PolledNovaFacts } from '../cells/polled-nova-facts';
import { CALL_LIMITS } from './limits';

/** The sentence for tenants names no cell. */
const USER_MESSAGE = 'A part of the cloud does not answer. Try again later.';

export class AbsentCells {
  private waiting = 0;

  constructor(private readonly facts: Pick<PolledNovaFacts, 'status' | 'refresh'>) {}

  asIgnored(): readonly IgnoredField[] {
    return this.list().map(({ name, why }) => ({ field: `cells.${name}`, why: `it ${why}` }));
  }

  /** Whether a host of such a cell could have taken the instances. */
  areMissed({ decision, refusal }: Decided): boolean {
    return refusal !== null && isShortOfHosts(decision) && this.list().length > 0;
  }

  /**
   * Waits until a cell can be read again. Returns false if none can before the time, or at once if too many calls wait
   * already while another cell can be used.
   */
  async areBack(signal: AbortSignal, untilMs: number): Promise<boolean> {
    const { cells } = this.facts.status();
    const absent = this.list().length;
    if (this.waiting >= CALL_LIMITS.waitingForCells && absent < cells.length) return false;
    this.waiting += 1;
    try {
      while (!signal.aborted && Date.now() + CALL_LIMITS.cellPauseMs < untilMs) {
        await pause(CALL_LIMITS.cellPauseMs, undefined, { signal }).catch(() => undefined);
        await this.facts.refresh();
        if (this.list().length < absent) return true;
      }
      return false;
    } finally {
      this.waiting -= 1;
    }
  }

  /** A refusal that names the cells to operators. */
  named(decision: Decision): Decision {
    const { summary } = decision;
    const cells = this.list().map(({ name, why }) => `Cell ${name} ${why}`);
    const sentence = [summary.sentence, ...cells].join(' ');
    return { ...decision, summary: { ...summary, sentence, userMessage: USER_MESSAGE } };
  }

  /** `why`: the rest of a sentence that begins with the cell. */
  private list() {
    return this.facts
      .status()
      .cells.flatMap(({ state, reason, name, uuid, mappedHosts }) =>
        state === 'ready'
          ? []
          : { name: name || uuid, why: `is ${state}, so its ${mappedHosts} hosts are left out: ${reason}` },
      );
  }
}

/** The request names a host without facts, Placement offered one, or the service of a chosen one could not be read. */
function isShortOfHosts({ code, request, placement, passes }: Decision): boolean {
  if (code !== 'scheduler.no_valid_host' && code !== 'scheduler.claims_lost') return false;
  if (placement === null) return request !== null && wantedTarget(request) !== null;
  return passes.some(
    ({ stages, claims }) =>
      stages.some(({ rejected }) => rejected.some((rejection) => rejection.code === 'unknown_host')) ||
      claims.some(({ outcome }) => outcome === 'host_unavailable'),
  );
}
