// Cooperative scheduling of long tasks on the event loop. A task runs for a few milliseconds, then other work runs,
// then the task continues; running tasks share the available time. A task that ends within its first slice never waits:
// that path costs one read of the clock. The time of a client's task is charged to the client; the admission gate
// (fair-gate.ts) is fair between clients.
import { PROCESS_LIMITS } from '../config/limits/processes';
import type { Task } from '../values/task';
import { forEachInSteps } from '../values/task';
import type { Caller } from './caller';
import { CallerGone } from './caller';
import type { Client } from './client';

/** A task that waits for its next slice. */
interface Waiting {
  readonly client: Client | undefined;
  /** Runs until `untilMs`; `again` if the task needs another slice. */
  go(untilMs: number): 'again' | 'end-of-phase';
}

/** The part of a slice after which the start of the next phase is scheduled. */
const UNCOUNTED_SHARE = 0.1;

export class TaskScheduler {
  /**
   * Tasks of clients, and all others (claims, plain reads, the graph). The two kinds take turns: long searches do not
   * delay short reads, and thousands of reads do not stop searches.
   */
  private readonly ofClients: Waiting[] = [];
  private readonly others: Waiting[] = [];
  private isTurnOfClients = false;
  /** The time that tasks used in the current phase of the event loop. */
  private usedMs = 0;
  /** When the next phase was scheduled; undefined if it was not. */
  private plannedAt: number | undefined;

  constructor(
    private readonly sliceMs: number = PROCESS_LIMITS.sliceMs,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The number of tasks and pauses that wait for their next slice. */
  get waiting(): number {
    return this.ofClients.length + this.others.length;
  }

  /**
   * Runs the task to its end in slices; returns its result or throws its error. Throws CallerGone, and cancels the
   * task, if the caller is disconnected at the start of a slice. The time is charged to the caller's client.
   */
  async run<T>(task: Task<T>, caller?: Caller): Promise<T> {
    const client = caller?.client;
    const left = this.sliceMs - this.usedMs;
    if (left > 0) {
      const began = this.now();
      const first = this.pull(task, began + left);
      this.charge(this.now() - began, client);
      if (first !== undefined) return first.value;
    }
    return new Promise<T>((resolve, reject) => {
      const go = (untilMs: number): 'again' | 'end-of-phase' => {
        try {
          if (caller?.isGone === true) {
            task.return(undefined as T);
            throw new CallerGone();
          }
          const end = this.pull(task, untilMs);
          if (end === undefined) return 'again';
          resolve(end.value);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        // The task's caller continues after this phase, so no other task runs before it.
        return 'end-of-phase';
      };
      this.enqueue({ client, go });
    });
  }

  /** Calls `each` for all items in a task; like `run`. */
  forEach<T>(items: Iterable<T>, each: (item: T) => void, caller?: Caller): Promise<void> {
    return this.run(forEachInSteps(items, each), caller);
  }

  /**
   * Runs short work that cannot yield, such as a statement of SQLite: at once, or in the next phase of the event loop
   * if the time of this phase is used up.
   */
  async paced<T>(work: () => T): Promise<T> {
    // The time between two pieces of work counts, too.
    const isOver = this.plannedAt !== undefined && this.now() - this.plannedAt >= this.sliceMs;
    if (isOver || this.usedMs >= this.sliceMs) await this.yieldToEventLoop();
    const began = this.now();
    try {
      return work();
    } finally {
      this.charge(this.now() - began);
    }
  }

  /** For work that awaits in any case: resolves when its next slice comes. Throws CallerGone. */
  yieldToEventLoop(caller?: Caller): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): 'end-of-phase' => {
        if (caller?.isGone === true) reject(new CallerGone());
        else resolve();
        return 'end-of-phase';
      };
      this.enqueue({ client: caller?.client, go });
    });
  }

  private pull<T>(task: Task<T>, untilMs: number): { readonly value: T } | undefined {
    do {
      const step = task.next();
      if (step.done === true) return { value: step.value };
    } while (this.now() < untilMs);
    return undefined;
  }

  /** Schedules a new phase, which resets the count, only after some time was used. */
  private charge(ms: number, client?: Client): void {
    client?.charge(ms);
    this.usedMs += ms;
    if (this.usedMs >= this.sliceMs * UNCOUNTED_SHARE) this.plan();
  }

  private enqueue(waiting: Waiting): void {
    this.push(waiting);
    this.plan();
  }

  private push(waiting: Waiting): void {
    (waiting.client === undefined ? this.others : this.ofClients).push(waiting);
  }

  private next(): Waiting | undefined {
    this.isTurnOfClients = !this.isTurnOfClients;
    return this.isTurnOfClients
      ? (this.ofClients.shift() ?? this.others.shift())
      : (this.others.shift() ?? this.ofClients.shift());
  }

  private plan(): void {
    if (this.plannedAt !== undefined) return;
    this.plannedAt = this.now();
    setImmediate(() => this.round());
  }

  /** One phase of the event loop: waiting tasks continue in order, one slice each, until the time is used up. */
  private round(): void {
    this.plannedAt = undefined;
    this.usedMs = 0;
    const began = this.now();
    const untilMs = began + this.sliceMs;
    for (let waiting = this.next(); waiting !== undefined; waiting = this.next()) {
      const share = Math.max(1, this.sliceMs / (this.waiting + 1));
      const from = this.now();
      const outcome = waiting.go(Math.min(untilMs, from + share));
      const to = this.now();
      waiting.client?.charge(to - from);
      if (outcome === 'again') this.push(waiting);
      if (outcome === 'end-of-phase' || to >= untilMs) break;
    }
    if (this.waiting > 0) this.plan();
  }
}

/** One instance per process, because there is one event loop. */
export const tasks = new TaskScheduler();
