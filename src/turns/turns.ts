// Long work takes turns. One event loop serves everybody, so a walk gets the loop for a few milliseconds, then everybody
// else, then it goes on; walks under way share what there is. What is done within its first turn never waits: the fast
// path costs one look at the clock.
import { PROCESS_LIMITS } from '../config/limits';
import type { Walk } from '../domain/walk';
import { Unavailable } from '../errors/domain-errors';

/** Who asked for the work: nobody reads the result of somebody who hung up, so it is not finished. */
export interface Caller {
  readonly isGone: boolean;
}

/** The caller hung up; the work was put down unfinished. Nobody is there to be told. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';

  constructor() {
    super('the client hung up before its answer was ready');
  }
}

/** Takes the loop until `untilMs`; true when it is done and needs no further turn. */
type Waiting = (untilMs: number) => 'done' | 'again' | 'end-of-phase';

/** So much of a turn may be taken before the event loop is asked when its next round begins. */
const UNCOUNTED_SHARE = 0.1;

export class Turns {
  private queue: Waiting[] = [];
  /** Walks that had their first turn and wait until one of those under way is done. */
  private readonly parked: Waiting[] = [];
  /** Walks under way behind their first turn. */
  private readonly under = new Set<Waiting>();
  /** What walks took of the present round of the event loop. */
  private usedMs = 0;
  private isPlanned = false;

  constructor(
    private readonly turnMs: number = PROCESS_LIMITS.turnMs,
    private readonly now: () => number = () => performance.now(),
    private readonly bounds: { readonly under: number; readonly parked: number } = {
      under: PROCESS_LIMITS.walksUnderWay,
      parked: PROCESS_LIMITS.walksParked,
    },
  ) {}

  /** How many walks and pauses wait for their next turn. */
  get waiting(): number {
    return this.queue.length + this.parked.length;
  }

  /**
   * Pulls the walk to its end, in turns, and answers what it returned or throws what it threw. Throws CallerGone, and
   * puts the walk down, when the caller is gone at the start of a turn; Unavailable when too many wait already.
   *
   * Whatever is done within two turns never waits for long walks to end. Of longer ones so many are under way at a time,
   * because each holds what it has found so far; the others wait for one of them to end.
   */
  async run<T>(walk: Walk<T>, caller?: Caller): Promise<T> {
    const began = this.now();
    const left = this.turnMs - this.usedMs;
    if (left > 0) {
      const first = this.pull(walk, began + left);
      this.charge(this.now() - began);
      if (first !== undefined) return first.value;
    }
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = (untilMs) => {
        try {
          if (caller?.isGone === true) {
            walk.return(undefined as T);
            throw new CallerGone();
          }
          const end = this.pull(walk, untilMs);
          if (end === undefined) {
            if (this.isAdmitted(waiting)) return 'again';
            walk.return(undefined as T);
            throw new Unavailable('Too much long work is waiting already.');
          }
          resolve(end.value);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        this.under.delete(waiting);
        // Whoever waited for it goes on when this round is over, so nobody else is let in before.
        return 'end-of-phase';
      };
      this.enqueue(waiting);
    });
  }

  /**
   * Runs work that is short and cannot be put down, a statement of SQLite: at once, or in the next round of the event
   * loop when this one's time is used up.
   */
  async paced<T>(work: () => T): Promise<T> {
    if (this.usedMs >= this.turnMs) await this.giveWay();
    const began = this.now();
    try {
      return work();
    } finally {
      this.charge(this.now() - began);
    }
  }

  /** For work that awaits anyway: resolves when its next turn has come. Throws CallerGone. */
  giveWay(caller?: Caller): Promise<void> {
    return new Promise((resolve, reject) => {
      this.enqueue(() => {
        if (caller?.isGone === true) reject(new CallerGone());
        else resolve();
        return 'end-of-phase';
      });
    });
  }

  /** Whether the walk may go on: now, or when another one is done. */
  private isAdmitted(waiting: Waiting): boolean {
    return this.under.has(waiting) || this.under.size < this.bounds.under || this.parked.length < this.bounds.parked;
  }

  /** Those whose place is free go on. */
  private takeOn(): void {
    while (this.under.size < this.bounds.under) {
      const next = this.parked.shift();
      if (next === undefined) return;
      this.under.add(next);
      this.queue.push(next);
    }
  }

  private again(waiting: Waiting): void {
    if (!this.under.has(waiting)) {
      if (this.under.size >= this.bounds.under) {
        this.parked.push(waiting);
        return;
      }
      this.under.add(waiting);
    }
    this.queue.push(waiting);
  }

  private pull<T>(walk: Walk<T>, untilMs: number): { readonly value: T } | undefined {
    do {
      const step = walk.next();
      if (step.done === true) return { value: step.value };
    } while (this.now() < untilMs);
    return undefined;
  }

  /** A round of its own, in which the count starts anew, is worth its price only once something was taken. */
  private charge(ms: number): void {
    this.usedMs += ms;
    if (this.usedMs >= this.turnMs * UNCOUNTED_SHARE) this.plan();
  }

  private enqueue(waiting: Waiting): void {
    this.queue.push(waiting);
    this.plan();
  }

  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(() => this.round());
  }

  /** One turn of the event loop: those that wait go on in their order, one slice each, until the time is used up. */
  private round(): void {
    this.isPlanned = false;
    this.usedMs = 0;
    const began = this.now();
    const untilMs = began + this.turnMs;
    while (this.queue.length > 0) {
      const waiting = this.queue.shift();
      const share = Math.max(1, this.turnMs / (this.queue.length + 1));
      const outcome = waiting?.(Math.min(untilMs, this.now() + share));
      if (outcome === 'again' && waiting !== undefined) this.again(waiting);
      else this.takeOn();
      if (outcome === 'end-of-phase' || this.now() >= untilMs) break;
    }
    if (this.queue.length > 0) this.plan();
  }
}

/** The event loop is one for the process, and so is this. */
export const turns = new Turns();
