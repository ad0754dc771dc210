// Batches queued work: while groups are running, new members wait, and the next group takes all compatible members.
// Queue length and wait time are limited, as in the gate.
import { Unavailable } from '../values/errors';

export interface GroupLimits {
  /** Maximum number of running groups. */
  readonly inFlight: number;
  /** Maximum members of one group. */
  readonly members: number;
  /** Maximum sum of the weights of one group's members. */
  readonly weight: number;
  readonly waiting: number;
  readonly waitMs: number;
}

export interface GroupRules<M> {
  /** Members of different kinds never share a group. */
  readonly kindOf: (member: M) => string;
  /** Members with a common key never share a group, and run in the order of arrival. */
  readonly keysOf: (member: M) => readonly string[];
  readonly weightOf: (member: M) => number;
}

/** A member with the callbacks of its caller; only the first settlement counts. */
export interface GroupEntry<M> {
  readonly member: M;
  /** Time of arrival, by `performance.now()`. */
  readonly since: number;
  succeed(): void;
  fail(error: unknown): void;
}

interface Waiting<M> extends GroupEntry<M> {
  readonly kind: string;
  timer: NodeJS.Timeout | undefined;
}

export class GroupQueue<M> {
  private waiting: Waiting<M>[] = [];
  private inFlight = 0;

  constructor(
    private readonly limits: GroupLimits,
    private readonly rules: GroupRules<M>,
    /** Settles every entry, in the order of arrival if order matters. */
    private readonly run: (entries: readonly GroupEntry<M>[]) => Promise<void>,
  ) {}

  /** Resolves when the member's work is done. Throws Unavailable if the queue is full or the wait timed out. */
  add(member: M): Promise<void> {
    return new Promise((succeed, fail) => {
      const since = performance.now();
      const entry: Waiting<M> = { member, since, kind: this.rules.kindOf(member), timer: undefined, succeed, fail };
      if (this.inFlight < this.limits.inFlight && this.waiting.length === 0) return this.start([entry]);
      if (this.waiting.length >= this.limits.waiting) {
        return fail(new Unavailable('The queue for the database is full.'));
      }
      entry.timer = setTimeout(() => this.giveUp(entry), this.limits.waitMs);
      this.waiting.push(entry);
    });
  }

  private giveUp(entry: Waiting<M>): void {
    this.waiting = this.waiting.filter((each) => each !== entry);
    entry.fail(new Unavailable('Waited too long for the database.'));
  }

  private start(entries: readonly Waiting<M>[]): void {
    this.inFlight += 1;
    void this.finished(entries);
  }

  private async finished(entries: readonly Waiting<M>[]): Promise<void> {
    try {
      await this.run(entries);
    } catch (error) {
      for (const entry of entries) entry.fail(error);
    }
    this.inFlight -= 1;
    if (this.waiting.length > 0) this.start(this.take());
  }

  /** The member with the longest wait and all members that can share its group. */
  private take(): readonly Waiting<M>[] {
    const taken: Waiting<M>[] = [];
    const left: Waiting<M>[] = [];
    const passed = new Set<string>();
    let weight = 0;
    for (const entry of this.waiting) {
      const keys = this.rules.keysOf(entry.member);
      const fits =
        taken.length === 0 ||
        (entry.kind === taken[0]?.kind &&
          taken.length < this.limits.members &&
          weight + this.rules.weightOf(entry.member) <= this.limits.weight &&
          !keys.some((key) => passed.has(key)));
      for (const key of keys) passed.add(key);
      if (!fits) {
        left.push(entry);
        continue;
      }
      weight += this.rules.weightOf(entry.member);
      clearTimeout(entry.timer);
      taken.push(entry);
    }
    this.waiting = left;
    return taken;
  }
}
