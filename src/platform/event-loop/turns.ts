// Long work takes turns. One event loop serves everybody, so a walk gets the loop for a few milliseconds, then everybody
// else, then it goes on; walks under way share what there is. What is done within its first turn never waits: the fast
// path costs one look at the clock. Work for a client that has a share is charged to it, and whoever had least goes first.
import { PROCESS_LIMITS } from '../config/limits';
import { forEachInSteps } from '../values/walk';
import type { Walk } from '../values/walk';
import { Unavailable } from '../values/errors';
import { CallerGone } from './caller';
import type { Caller } from './caller';
import type { Client } from './client';
import { TurnQueue } from './turn-queue';

/**
 * Long walks that go on in turns: each holds what it has found so far. Further ones wait for one of them to end; and so
 * do those of a client that has its share of them, where it is known whose they are.
 */
const WALKS_UNDER_WAY = 4;
const WALKS_OF_CLIENT_UNDER_WAY = 2;
/** Long walks that wait; more get 503. */
const WALKS_PARKED = 200;

/** Work that waits for its turn. */
interface Waiting {
  readonly client: Client | undefined;
  /** Takes the loop until `untilMs`; `again` when it needs a further turn. */
  go(untilMs: number): 'again' | 'end-of-phase';
}

/** So much of a turn may be taken before the event loop is asked when its next round begins. */
const UNCOUNTED_SHARE = 0.1;

interface WalkBounds {
  readonly under: number;
  readonly underOfClient: number;
  readonly parked: number;
}

export class Turns {
  private readonly queue = new TurnQueue<Waiting>();
  /** Walks that had their first turn and wait until one of those under way is done. */
  private readonly parked = new TurnQueue<Waiting>();
  /** Walks under way behind their first turn. */
  private readonly under = new Set<Waiting>();
  /** What walks took of the present round of the event loop. */
  private usedMs = 0;
  /** When the next round was asked for; undefined when it was not. */
  private plannedAt: number | undefined;

  constructor(
    private readonly turnMs: number = PROCESS_LIMITS.turnMs,
    private readonly now: () => number = () => performance.now(),
    private readonly bounds: WalkBounds = {
      under: WALKS_UNDER_WAY,
      underOfClient: WALKS_OF_CLIENT_UNDER_WAY,
      parked: WALKS_PARKED,
    },
  ) {}

  /** How many walks and pauses wait for their next turn. */
  get waiting(): number {
    return this.queue.size + this.parked.size;
  }

  /**
   * Pulls the walk to its end, in turns, and answers what it returned or throws what it threw. Throws CallerGone, and
   * puts the walk down, when the caller is gone at the start of a turn; Unavailable when too many wait already.
   *
   * Whatever is done within two turns never waits for long walks to end. Of longer ones so many are under way at a time,
   * because each holds what it has found so far; the others wait for one of them to end. The work is charged to the
   * caller's client, and does not begin while work for a client waits that has had less.
   */
  async run<T>(walk: Walk<T>, caller?: Caller): Promise<T> {
    const client = caller?.client;
    const left = this.turnMs - this.usedMs;
    if (left > 0 && (client === undefined || !this.queue.hasOneBefore(client))) {
      const began = this.now();
      const first = this.pull(walk, began + left);
      this.charge(this.now() - began, client);
      if (first !== undefined) return first.value;
    }
    return new Promise<T>((resolve, reject) => {
      const go = (untilMs: number): 'again' | 'end-of-phase' => {
        try {
          if (caller?.isGone === true) {
            walk.return(undefined as T);
            throw new CallerGone();
          }
          const end = this.pull(walk, untilMs);
          if (end === undefined) {
            if (this.isAdmitted(waiting)) return 'again';
            walk.return(undefined as T);
            throw new Unavailable('Too many queued long requests.');
          }
          resolve(end.value);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        this.under.delete(waiting);
        // Whoever waited for it goes on when this round is over, so nobody else is let in before.
        return 'end-of-phase';
      };
      const waiting: Waiting = { client, go };
      this.enqueue(waiting);
    });
  }

  /** Calls `each` for all items, in turns; as `run`. */
  forEach<T>(items: Iterable<T>, each: (item: T) => void, caller?: Caller): Promise<void> {
    return this.run(forEachInSteps(items, each), caller);
  }

  /**
   * Runs work that is short and cannot be put down, a statement of SQLite: at once, or in the next round of the event
   * loop when this one's time is used up.
   */
  async paced<T>(work: () => T): Promise<T> {
    // What was done between two pieces counts as well.
    const isOver = this.plannedAt !== undefined && this.now() - this.plannedAt >= this.turnMs;
    if (isOver || this.usedMs >= this.turnMs) await this.giveWay();
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
      const go = (): 'end-of-phase' => {
        if (caller?.isGone === true) reject(new CallerGone());
        else resolve();
        return 'end-of-phase';
      };
      this.enqueue({ client: caller?.client, go });
    });
  }

  /** Whether the walk may go on: now, or when another one is done. */
  private isAdmitted(waiting: Waiting): boolean {
    return this.under.has(waiting) || this.hasRoomFor(waiting.client) || this.parked.size < this.bounds.parked;
  }

  private hasRoomFor(client: Client | undefined): boolean {
    if (this.under.size >= this.bounds.under) return false;
    if (client === undefined) return true;
    let own = 0;
    for (const waiting of this.under) if (waiting.client === client) own += 1;
    return own < this.bounds.underOfClient;
  }

  /** Those whose place is free go on. */
  private takeOn(): void {
    while (this.under.size < this.bounds.under) {
      const next = this.parked.shift((client) => this.hasRoomFor(client));
      if (next === undefined) return;
      this.under.add(next);
      this.queue.push(next);
    }
  }

  private again(waiting: Waiting): void {
    if (!this.under.has(waiting)) {
      if (!this.hasRoomFor(waiting.client)) {
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
  private charge(ms: number, client?: Client): void {
    this.account(ms, client);
    this.usedMs += ms;
    if (this.usedMs >= this.turnMs * UNCOUNTED_SHARE) this.plan();
  }

  private account(ms: number, client: Client | undefined): void {
    client?.charge(ms);
    this.queue.charge(client, ms);
  }

  private enqueue(waiting: Waiting): void {
    this.queue.push(waiting);
    this.plan();
  }

  private plan(): void {
    if (this.plannedAt !== undefined) return;
    this.plannedAt = this.now();
    setImmediate(() => this.round());
  }

  /** One turn of the event loop: those that wait go on in their order, one slice each, until the time is used up. */
  private round(): void {
    this.plannedAt = undefined;
    this.usedMs = 0;
    const began = this.now();
    const untilMs = began + this.turnMs;
    for (let waiting = this.queue.shift(); waiting !== undefined; waiting = this.queue.shift()) {
      const share = Math.max(1, this.turnMs / (this.queue.size + 1));
      const from = this.now();
      const outcome = waiting.go(Math.min(untilMs, from + share));
      const to = this.now();
      this.account(to - from, waiting.client);
      if (outcome === 'again') this.again(waiting);
      else this.takeOn();
      if (outcome === 'end-of-phase' || to >= untilMs) break;
    }
    if (this.queue.size > 0) this.plan();
  }
}

/** The event loop is one for the process, and so is this. */
export const turns = new Turns();
