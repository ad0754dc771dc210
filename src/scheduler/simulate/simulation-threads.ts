// Runs simulations in worker threads. A described cloud of thousands of hosts takes megabytes to parse, minutes to
// decide and megabytes to answer, which must not block the event loop. Threads are few, start on demand and end when
// idle; the queue is fair between clients. A document that exceeds its time or memory, or whose client disconnects,
// ends together with its thread.
import type { OnModuleDestroy } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { Caller } from '../../platform/event-loop/caller';
import { CallerGone } from '../../platform/event-loop/caller';
import { FairQueue } from '../../platform/event-loop/fair-queue';
import { InvalidInput, TooManyRequests, Unavailable } from '../../platform/values/errors';
import type { Simulations, SimulationTask } from './simulated-text';
import type { SimulationReply, SimulationThreadData } from './simulation.worker';

/** Maximum of threads, and of documents in the queue. */
const SIMULATION_THREADS = 1;
const SIMULATIONS_WAITING = 8;
/** Limits for one described cloud: memory of its thread, and time. */
const SIMULATION_MEMORY_MIB = 1_024;
const SIMULATION_SECONDS = 120;
/** A thread without work ends after this time; and the interval of the check for disconnected clients. */
const SIMULATION_IDLE_MS = 60_000;
const SIMULATION_CALLER_MS = 200;

interface SimulationBounds {
  readonly threads: number;
  readonly waiting: number;
  readonly memoryMib: number;
  readonly seconds: number;
}

const BOUNDS: SimulationBounds = {
  threads: SIMULATION_THREADS,
  waiting: SIMULATIONS_WAITING,
  memoryMib: SIMULATION_MEMORY_MIB,
  seconds: SIMULATION_SECONDS,
};

interface Job {
  readonly caller: Caller | undefined;
  start(): void;
  reject(error: Error): void;
}

export class SimulationThreads implements Simulations, OnModuleDestroy {
  private readonly pool: Piscina<SimulationTask, SimulationReply>;
  private readonly waiting: FairQueue<Job>;
  private readonly stop = new AbortController();
  private inFlight = 0;

  constructor(
    script: string,
    workerData: SimulationThreadData,
    private readonly bounds: SimulationBounds = BOUNDS,
  ) {
    this.waiting = new FairQueue({ places: bounds.waiting, placesOfClient: bounds.waiting });
    this.pool = new Piscina({
      filename: script,
      workerData,
      minThreads: 0,
      maxThreads: bounds.threads,
      idleTimeout: SIMULATION_IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMib },
      atomics: 'disabled',
      recordTiming: false,
    });
  }

  /** The number of running threads, busy or idle. */
  get running(): number {
    return this.pool.threads.length;
  }

  async answerTo(task: SimulationTask, caller?: Caller): Promise<Uint8Array> {
    if (this.inFlight >= this.bounds.threads) await this.turnOf(caller);
    else this.inFlight += 1;
    try {
      return await this.answered(task, caller);
    } finally {
      this.inFlight -= 1;
      this.startNext();
    }
  }

  /** On shutdown, running simulations are aborted. */
  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    for (const job of this.waiting.clear()) job.reject(stopping());
    await this.pool.destroy();
  }

  private turnOf(caller: Caller | undefined): Promise<void> {
    return new Promise((start, reject) => {
      const job = { caller, start, reject };
      const pushedOut = this.waiting.add(caller?.client, job);
      for (const each of pushedOut ?? [job]) each.reject(tooMany());
    });
  }

  private startNext(): void {
    const job = this.waiting.next();
    if (job === undefined) return;
    this.inFlight += 1;
    job.start();
  }

  private async answered(task: SimulationTask, caller: Caller | undefined): Promise<Uint8Array> {
    if (this.stop.signal.aborted) throw stopping();
    if (caller?.isGone === true) throw new CallerGone();
    const { seconds } = this.bounds;
    const given = new AbortController();
    const limit = setTimeout(() => given.abort(tooLong(seconds)), seconds * 1000);
    const watch = setInterval(() => {
      if (caller?.isGone === true) given.abort(new CallerGone());
    }, SIMULATION_CALLER_MS);
    const startedAt = performance.now();
    try {
      const reply = await this.pool.run(task, { signal: given.signal });
      if (reply instanceof Uint8Array) return reply;
      throw new InvalidInput(reply.refusal);
    } catch (error) {
      if (this.stop.signal.aborted) throw stopping();
      throw given.signal.aborted ? given.signal.reason : errorOf(error, this.bounds);
    } finally {
      clearTimeout(limit);
      clearInterval(watch);
      caller?.client?.charge(performance.now() - startedAt);
    }
  }
}

const stopping = (): Unavailable => new Unavailable('The service is stopping.');

const tooMany = (): TooManyRequests => new TooManyRequests('Too many queued simulations of this client.');

const tooLong = (seconds: number): InvalidInput =>
  new InvalidInput(`The simulation took longer than ${seconds} s: describe fewer hosts or ask for fewer instances.`);

function errorOf(error: unknown, { memoryMib }: SimulationBounds): Error {
  if ((error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new InvalidInput(
      `The simulation took more than ${memoryMib} MiB of memory: describe fewer hosts or ask for fewer instances.`,
    );
  }
  if (error instanceof InvalidInput) return error;
  return new Error('a simulation failed', { cause: error });
}
