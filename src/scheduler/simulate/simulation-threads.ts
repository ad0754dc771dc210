// Simulations in threads of their own. A described cloud of thousands of hosts is megabytes to parse, minutes to decide and
// megabytes to answer, and none of it can be allowed to hold the event loop that everybody else is served by. Threads are
// few, start when they are needed and end when nobody asks; documents wait by what was done for their clients; what takes too long or too much memory is ended with its
// thread, and so is what nobody waits for any more.
import { Worker } from 'node:worker_threads';
import type { OnModuleDestroy } from '@nestjs/common';
import { SCHEDULER_LIMITS } from '../../config/limits';
import { InvalidInput, TooManyRequests, Unavailable } from '../../domain/errors';
import { FairQueue } from '../../shares/fair-queue';
import { CallerGone } from '../../shares/caller';
import type { Caller } from '../../shares/caller';
import { answerOf } from './simulated-text';
import type { SimulationResult, SimulationTask, Simulations } from './simulated-text';
import type { SimulationThreadData } from './simulation.worker';

type Reply = SimulationResult | { readonly kind: 'broken'; readonly text: string };

interface SimulationBounds {
  readonly threads: number;
  readonly waiting: number;
  readonly memoryMib: number;
  readonly seconds: number;
}

const BOUNDS: SimulationBounds = {
  threads: SCHEDULER_LIMITS.simulationThreads,
  waiting: SCHEDULER_LIMITS.simulationsWaiting,
  memoryMib: SCHEDULER_LIMITS.simulationMemoryMib,
  seconds: SCHEDULER_LIMITS.simulationSeconds,
};

interface Job {
  readonly task: SimulationTask;
  readonly caller: Caller | undefined;
  resolve(answer: Uint8Array): void;
  reject(error: Error): void;
}

export class SimulationThreads implements Simulations, OnModuleDestroy {
  private readonly waiting: FairQueue<Job>;
  private readonly idle: SimulationThread[] = [];
  private readonly all = new Set<SimulationThread>();
  private isStopping = false;

  constructor(
    private readonly script: string,
    private readonly data: SimulationThreadData,
    private readonly bounds: SimulationBounds = BOUNDS,
  ) {
    this.waiting = new FairQueue({ places: bounds.waiting, placesOfClient: bounds.waiting });
  }

  /** Threads that are running, at work or not. */
  get running(): number {
    return this.all.size;
  }

  answerTo(task: SimulationTask, caller?: Caller): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (this.isStopping) throw new Unavailable('The service is stopping.');
      const job: Job = { task, caller, resolve, reject };
      const thread = this.idle.pop() ?? this.start();
      if (thread === undefined) this.wait(job);
      else thread.take(job);
    });
  }

  private wait(job: Job): void {
    const pushedOut = this.waiting.add(job.caller?.client, job);
    for (const each of pushedOut ?? [job]) each.reject(tooMany());
  }

  /** Nobody waits for a simulation when the process ends. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    for (const job of this.waiting.clear()) job.reject(new Unavailable('The service is stopping.'));
    await Promise.all([...this.all].map((thread) => thread.end(new Unavailable('The service is stopping.'))));
  }

  private next(): void {
    while (this.waiting.size > 0) {
      const thread = this.idle.pop() ?? this.start();
      if (thread === undefined) return;
      const job = this.waiting.next();
      if (job !== undefined) thread.take(job);
    }
  }

  private start(): SimulationThread | undefined {
    if (this.all.size >= this.bounds.threads) return undefined;
    const thread = new SimulationThread(this.script, this.data, this.bounds, {
      free: () => {
        this.idle.push(thread);
        this.next();
      },
      gone: () => {
        this.all.delete(thread);
        const at = this.idle.indexOf(thread);
        if (at >= 0) this.idle.splice(at, 1);
        this.next();
      },
    });
    this.all.add(thread);
    return thread;
  }
}

/** One thread with at most one document. */
class SimulationThread {
  private readonly worker: Worker;
  private job: Job | undefined;
  private tookAtMs = 0;
  private limit: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;
  private rest: NodeJS.Timeout | undefined;

  constructor(
    script: string,
    data: SimulationThreadData,
    private readonly bounds: SimulationBounds,
    private readonly tell: { free(): void; gone(): void },
  ) {
    const resourceLimits = { maxOldGenerationSizeMb: bounds.memoryMib };
    this.worker = new Worker(script, { workerData: data, resourceLimits });
    this.worker.unref();
    this.worker.on('message', (reply: Reply) => this.answered(reply));
    this.worker.on('error', (error) => this.failed(errorOf(error, bounds)));
    this.worker.on('exit', () => {
      this.failed(new Error('the thread of a simulation ended'));
      clearTimeout(this.rest);
      this.tell.gone();
    });
  }

  take(job: Job): void {
    clearTimeout(this.rest);
    if (job.caller?.isGone === true) {
      job.reject(new CallerGone());
      this.becomeFree();
      return;
    }
    this.job = job;
    this.tookAtMs = performance.now();
    this.worker.postMessage(job.task);
    const { seconds } = this.bounds;
    this.limit = setTimeout(() => void this.end(tooLong(seconds)), seconds * 1000);
    this.watch = setInterval(() => {
      if (job.caller?.isGone === true) void this.end(new CallerGone());
    }, SCHEDULER_LIMITS.simulationCallerMs);
  }

  /** Ends the thread; whoever waits for it is told why. */
  async end(reason: Error): Promise<void> {
    this.failed(reason);
    await this.worker.terminate();
  }

  private answered(reply: Reply): void {
    const job = this.leave();
    if (reply.kind === 'broken') job?.reject(new Error(`a simulation failed: ${reply.text}`));
    else {
      try {
        job?.resolve(answerOf(reply));
      } catch (error) {
        job?.reject(error as Error);
      }
    }
    this.becomeFree();
  }

  private becomeFree(): void {
    this.rest = setTimeout(() => {
      // Nobody may be given to it any more.
      this.tell.gone();
      void this.worker.terminate();
    }, SCHEDULER_LIMITS.simulationIdleMs);
    this.rest.unref();
    this.tell.free();
  }

  private failed(error: Error): void {
    this.leave()?.reject(error);
  }

  private leave(): Job | undefined {
    const { job } = this;
    job?.caller?.client?.charge(performance.now() - this.tookAtMs);
    this.job = undefined;
    clearTimeout(this.limit);
    clearInterval(this.watch);
    return job;
  }
}

const tooMany = (): TooManyRequests => new TooManyRequests('Too many simulations of yours wait already.');

const tooLong = (seconds: number): InvalidInput =>
  new InvalidInput(`The simulation took longer than ${seconds} s: describe fewer hosts or ask for fewer instances.`);

function errorOf(error: unknown, { memoryMib }: SimulationBounds): Error {
  if ((error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new InvalidInput(
      `The simulation took more than ${memoryMib} MiB of memory: describe fewer hosts or ask for fewer instances.`,
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}
