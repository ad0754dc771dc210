// Cooperative scheduling of long tasks on the event loop. A task runs for a few milliseconds, then other work runs,
// then the task continues; running tasks share the available time. A task that ends within its first slice never waits:
// that path costs one read of the clock. The time of a client's task is charged to the client; the client with the
// least usage goes first.
import { PROCESS_LIMITS } from '../config/limits/processes';
import type { Task } from '../values/task';
import { forEachInSteps } from '../values/task';
import type { Caller } from './caller';
import { CallerGone } from './caller';
import type { Client } from './client';
import { TaskQueue } from './task-queue';

/** A task that waits for its next slice. */
interface Waiting {
  readonly client: Client | undefined;
  /** Runs until `untilMs`; `again` if the task needs another slice. */
  go(untilMs: number): 'again' | 'end-of-phase';
}

/** The part of a slice after which the start of the next phase is scheduled. */
const UNCOUNTED_SHARE = 0.1;

export class TaskScheduler {
  private readonly queue = new TaskQueue<Waiting>();
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
    return this.queue.size;
  }

  /**
   * Runs the task to its end in slices; returns its result or throws its error. Throws CallerGone, and cancels the
   * task, if the caller is disconnected at the start of a slice. The time is charged to the caller's client. A task
   * does not start while a task of a client with less usage waits.
   */
  async run<T>(task: Task<T>, caller?: Caller): Promise<T> {
    const client = caller?.client;
    const left = this.sliceMs - this.usedMs;
    if (left > 0 && (client === undefined || !this.queue.hasOneBefore(client))) {
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
    this.account(ms, client);
    this.usedMs += ms;
    if (this.usedMs >= this.sliceMs * UNCOUNTED_SHARE) this.plan();
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

  /** One phase of the event loop: waiting tasks continue in order, one slice each, until the time is used up. */
  private round(): void {
    this.plannedAt = undefined;
    this.usedMs = 0;
    const began = this.now();
    const untilMs = began + this.sliceMs;
    for (let waiting = this.queue.shift(); waiting !== undefined; waiting = this.queue.shift()) {
      const share = Math.max(1, this.sliceMs / (this.queue.size + 1));
      const from = this.now();
      const outcome = waiting.go(Math.min(untilMs, from + share));
      const to = this.now();
      this.account(to - from, waiting.client);
      if (outcome === 'again') this.queue.push(waiting);
      if (outcome === 'end-of-phase' || to >= untilMs) break;
    }
    if (this.queue.size > 0) this.plan();
  }
}

/** One instance per process, because there is one event loop. */
export const tasks = new TaskScheduler();
