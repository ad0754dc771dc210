// The supervisor of several workers: starts them, replaces dead ones, forwards signals, and exits after the last
// worker. It serves no requests; it forwards messages between workers (worker-channel.ts).
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { endProcess } from '../logging/standard-error';
import { RestartPause } from './restart-pause';
import { passOn } from './worker-exchange';

interface SupervisorSettings {
  readonly workers: number;
  /** Time limit for the stop of a worker; after it the worker is killed. */
  readonly stopWithinMs: number;
  /** Whether SIGHUP stops the service. */
  readonly endsByHangup: boolean;
  readonly log: Record<'info' | 'error', (fields: object, message: string) => void>;
}

/**
 * Runs equal workers that share the port. Replaces a dead worker: at once if it lived for a minute, otherwise after a
 * growing pause. Until the first worker listens, a dead worker ends the service, because the next one would die as well.
 */
export function superviseWorkers({ workers, stopWithinMs, endsByHangup, log }: SupervisorSettings): void {
  const pause = new RestartPause();
  const born = new Map<number, number>();
  /** Workers that do not listen yet. True: SIGHUP arrived; without a handler it would end them. */
  const starting = new Map<number, boolean>();
  let hasServed = false;
  let isStopping = false;
  let exitCode = 0;
  const all = (): readonly Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const signalAll = (signal: NodeJS.Signals): void => all().forEach((worker) => worker.process.kill(signal));
  const fork = (): void => {
    const { id } = cluster.fork();
    born.set(id, Date.now());
    starting.set(id, false);
  };
  const reload = (): void => {
    for (const worker of all()) {
      if (starting.has(worker.id)) starting.set(worker.id, true);
      else worker.process.kill('SIGHUP');
    }
  };
  const stop = (signal: NodeJS.Signals): void => {
    // A second signal requests a fast exit, which the workers handle.
    signalAll(signal);
    if (isStopping) return;
    isStopping = true;
    if (all().length === 0) void endProcess(0);
    setTimeout(() => {
      log.error({ workers: all().length }, 'workers did not stop in time and are killed');
      exitCode = 1;
      signalAll('SIGKILL');
    }, stopWithinMs).unref();
  };

  cluster.on('listening', (worker) => {
    hasServed = true;
    if (starting.get(worker.id) === true) worker.process.kill('SIGHUP');
    starting.delete(worker.id);
  });
  cluster.on('exit', (worker, code, signal) => {
    const lifeMs = Date.now() - (born.get(worker.id) ?? 0);
    born.delete(worker.id);
    starting.delete(worker.id);
    if (isStopping) {
      if (code !== 0) exitCode = 1;
      if (all().length === 0) void endProcess(exitCode);
      return;
    }
    if (!hasServed) {
      log.error({ code, signal }, 'a worker could not start; giving up');
      void endProcess(1);
      return;
    }
    const pauseMs = pause.after(lifeMs);
    log.error({ workerPid: worker.process.pid, code, signal, pauseMs }, 'a worker died and is replaced');
    setTimeout(() => {
      if (!isStopping) fork();
    }, pauseMs);
  });
  passOn();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.on('SIGHUP', () => (endsByHangup ? stop('SIGTERM') : reload()));
  for (let count = 0; count < workers; count += 1) fork();
}
