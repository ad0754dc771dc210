// Runs simulations in worker threads. A described cloud of thousands of hosts takes megabytes to parse, minutes to
// decide and megabytes to answer, which must not block the event loop. Threads are few, start on demand and end when
// idle; the queue is fair between clients. A document that exceeds its time or memory, or whose client disconnects,
// ends together with its thread.
import type { OnModuleDestroy } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { Caller } from '../../platform/event-loop/caller';
import { CallerGone } from '../../platform/event-loop/caller';
import { FairGate } from '../../platform/event-loop/fair-gate';
import { InvalidInput, Unavailable } from '../../platform/values/errors';
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

export class SimulationThreads implements Simulations, OnModuleDestroy {
  private readonly pool: Piscina<SimulationTask, SimulationReply>;
  private readonly gate: FairGate;
  private readonly stop = new AbortController();

  constructor(
    script: string,
    workerData: SimulationThreadData,
    private readonly bounds: SimulationBounds = BOUNDS,
  ) {
    const { threads, waiting, seconds } = bounds;
    this.gate = new FairGate('simulations', {
      inside: threads,
      insideOfClient: threads,
      waiting,
      waitingOfClient: waiting,
      waitMs: waiting * seconds * 1000,
    });
    this.pool = new Piscina({
      filename: script,
      workerData,
      minThreads: 0,
      maxThreads: threads,
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

  answerTo(task: SimulationTask, caller?: Caller): Promise<Uint8Array> {
    return this.gate.pass(() => this.answered(task, caller), caller);
  }

  /** On shutdown, running simulations are aborted. */
  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    await this.pool.destroy();
  }

  private async answered(task: SimulationTask, caller: Caller | undefined): Promise<Uint8Array> {
    if (this.stop.signal.aborted) throw stopping();
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
