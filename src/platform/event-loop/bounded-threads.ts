// Runs long work in worker threads with bounds. Threads are few, start on demand and end when idle; the queue is fair
// between clients. Work that exceeds its time or memory, or whose client disconnects, ends together with its thread.
import type { OnModuleDestroy } from '@nestjs/common';
import { Piscina } from 'piscina';
import { InvalidInput, Unavailable } from '../values/errors';
import type { Caller } from './caller';
import { CallerGone } from './caller';
import { FairGate } from './fair-gate';

/** A thread without work ends after this time; and the interval of the check for disconnected clients. */
const IDLE_MS = 60_000;
const CALLER_CHECK_MS = 200;

export interface ThreadBounds {
  readonly threads: number;
  /** In the queue. */
  readonly waiting: number;
  /** For one piece of work: memory of its thread, and time. */
  readonly memoryMib: number;
  readonly seconds: number;
}

const BOUNDS: ThreadBounds = { threads: 1, waiting: 8, memoryMib: 1_024, seconds: 120 };

interface ThreadWork {
  readonly script: string;
  readonly workerData: unknown;
  /** In messages, for example `simulation`. */
  readonly name: string;
  /** What a client can do if the work exceeds its bounds. */
  readonly advice: string;
}

export class BoundedThreads<Task, Reply> implements OnModuleDestroy {
  private readonly pool: Piscina<Task, Reply>;
  private readonly gate: FairGate;
  private readonly stop = new AbortController();

  constructor(
    private readonly work: ThreadWork,
    private readonly bounds: ThreadBounds = BOUNDS,
  ) {
    const { threads, waiting, seconds, memoryMib } = bounds;
    this.gate = new FairGate(`${work.name}s`, {
      inside: threads,
      insideOfClient: threads,
      waiting,
      waitingOfClient: waiting,
      waitMs: waiting * seconds * 1000,
    });
    this.pool = new Piscina({
      filename: work.script,
      workerData: work.workerData,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
      atomics: 'disabled',
      recordTiming: false,
    });
  }

  /** The number of running threads, busy or idle. */
  get running(): number {
    return this.pool.threads.length;
  }

  /** `make` runs when a thread is free. The buffers are transferred with the task. Throws InvalidInput beyond a bound. */
  run(
    make: () => Promise<{ readonly task: Task; readonly buffers?: readonly ArrayBuffer[] }>,
    caller?: Caller,
  ): Promise<Reply> {
    return this.gate.pass(async () => {
      const { task, buffers = [] } = await make();
      return this.answered(task, buffers, caller);
    }, caller);
  }

  /** On shutdown, running work is aborted. */
  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    await this.pool.destroy();
  }

  private async answered(task: Task, buffers: readonly ArrayBuffer[], caller: Caller | undefined): Promise<Reply> {
    if (this.stop.signal.aborted) throw stopping();
    const { seconds } = this.bounds;
    const given = new AbortController();
    const limit = setTimeout(() => given.abort(this.beyond(`longer than ${seconds} s`)), seconds * 1000);
    const watch = setInterval(() => {
      if (caller?.isGone === true) given.abort(new CallerGone());
    }, CALLER_CHECK_MS);
    const startedAt = performance.now();
    try {
      return await this.pool.run(task, { signal: given.signal, transferList: [...buffers] });
    } catch (error) {
      if (this.stop.signal.aborted) throw stopping();
      throw given.signal.aborted ? given.signal.reason : this.errorOf(error);
    } finally {
      clearTimeout(limit);
      clearInterval(watch);
      caller?.client?.charge(performance.now() - startedAt);
    }
  }

  private errorOf(error: unknown): Error {
    if ((error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return this.beyond(`more than ${this.bounds.memoryMib} MiB of memory`);
    }
    return new Error(`a ${this.work.name} failed`, { cause: error });
  }

  private beyond(bound: string): InvalidInput {
    return new InvalidInput(`The ${this.work.name} took ${bound}: ${this.work.advice}.`);
  }
}

const stopping = (): Unavailable => new Unavailable('The service is stopping.');
