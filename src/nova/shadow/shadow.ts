// Follows nova's requests, decides each one again without a claim, and counts how often Berth agrees.
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnreadable } from '../../platform/database/foreign-mysql';
import type { Comparison } from './compare';
import { NONE, notComparable, VERDICTS } from './compare';
import type { DryDecisions } from './dry-decisions';
import { SHADOW_LIMITS } from './limits';
import type { NewRequest, NewRequests, NovaChoice } from './new-requests';

export interface ShadowReport {
  readonly uuid: string;
  readonly comparison: Comparison;
}

interface Waiting {
  readonly request: NewRequest;
  readonly sinceMs: number;
}

export class Shadow {
  readonly counts: Record<Comparison['verdict'], number> = { same: 0, equal: 0, different: 0, 'not-comparable': 0 };
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly requests: Pick<NewRequests, 'next' | 'choices' | 'reconnect' | 'laterThan' | 'changedOn'>,
    private readonly decisions: Pick<DryDecisions, 'comparisonOf'>,
    private readonly report: (report: ShadowReport) => void,
    private readonly warn: (text: string) => void = () => undefined,
  ) {}

  /** The number of requests without a choice of nova. */
  get open(): number {
    return this.waiting.size;
  }

  /** Runs until the signal; `everyMs` is the pause between two polls. Tries again if nova's databases cannot be read. */
  async run(signal: AbortSignal, everyMs: number = SHADOW_LIMITS.pollEveryMs): Promise<void> {
    let warned: string | null = null;
    while (!signal.aborted) {
      const problem = await this.attempt();
      if (problem !== null && problem !== warned) this.warn(`nova's databases cannot be read: ${problem}`);
      warned = problem;
      const pauseMs = problem === null ? everyMs : SHADOW_LIMITS.retryEveryMs;
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One poll. Returns why the databases cannot be read; null if they can. */
  private async attempt(): Promise<string | null> {
    try {
      await this.requests.reconnect();
      await this.poll();
      return null;
    } catch (error) {
      if (error instanceof DatabaseUnreadable) return error.message;
      throw error;
    }
  }

  async poll(nowMs: number = Date.now()): Promise<void> {
    for (const request of await this.requests.next()) this.waiting.set(request.uuid, { request, sinceMs: nowMs });
    const choices = await this.requests.choices([...this.waiting.keys()]);
    for (const [uuid, choice] of choices) {
      const request = this.waiting.get(uuid)?.request;
      if (request === undefined) continue;
      this.waiting.delete(uuid);
      this.take(uuid, await this.comparisonOf(request, choice));
    }
    this.giveUp(nowMs);
  }

  private async comparisonOf(request: NewRequest, choice: NovaChoice): Promise<Comparison> {
    const { uuid, spec, problem } = request;
    if (spec === null) return notComparable(choice, problem ?? 'the request cannot be read');
    const later = await this.requests.laterThan(request, choice);
    if (later === undefined) return notComparable(choice, 'the instances that came after it cannot be read');
    const comparison = await this.decisions.comparisonOf({ uuid, spec, later }, choice);
    if (comparison.verdict !== 'different') return comparison;
    const hosts = [comparison.nova, comparison.berth].filter((host) => host !== NONE);
    const changed = await this.requests.changedOn(hosts, request, later);
    if (changed === 0) return comparison;
    const others = `${changed} other ${changed === 1 ? 'instance' : 'instances'} changed on ${hosts.join(' or ')} meanwhile`;
    return { ...comparison, verdict: 'not-comparable', reason: `${others} (${comparison.reason})` };
  }

  private giveUp(nowMs: number): void {
    for (const [uuid, { sinceMs }] of this.waiting) {
      const isLate = nowMs - sinceMs > SHADOW_LIMITS.waitMs;
      if (!isLate && this.waiting.size <= SHADOW_LIMITS.waiting) return;
      this.waiting.delete(uuid);
      this.take(uuid, notComparable(null, 'nova has no host for it, and it is not in cell0'));
    }
  }

  private take(uuid: string, comparison: Comparison): void {
    this.counts[comparison.verdict] += 1;
    this.report({ uuid, comparison });
  }
}

/** One line: the counts, and the part of the comparable decisions that agree. */
export function agreementLine(counts: Shadow['counts'], open: number): string {
  const comparable = counts.same + counts.equal + counts.different;
  const agreeing = counts.same + counts.equal;
  const share = comparable === 0 ? 'nothing compared yet' : `${((100 * agreeing) / comparable).toFixed(1)} % agree`;
  return `${VERDICTS.map((verdict) => `${verdict} ${counts[verdict]}`).join(', ')}, waiting ${open}: ${share}`;
}
