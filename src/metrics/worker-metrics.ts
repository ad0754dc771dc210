// One question, the numbers of all workers. The worker that is asked tells the primary process, which asks every worker,
// itself excepted for it serves nobody, and hands the answers back. Bounded in time: a worker that is silent is left out.
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { METRICS_LIMITS } from '../config/limits';
import type { MetricDocument } from './family';

type Documents = readonly MetricDocument[];

/** Between worker and primary. `asker` is the worker that asked first, `round` its number for the question. */
type Message =
  | { readonly kind: 'berth.metrics.gather'; readonly round: number }
  | { readonly kind: 'berth.metrics.read'; readonly round: number }
  | { readonly kind: 'berth.metrics.are'; readonly round: number; readonly documents: Documents }
  | { readonly kind: 'berth.metrics.gathered'; readonly round: number; readonly answers: readonly Documents[] };

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  typeof value.kind === 'string' &&
  value.kind.startsWith('berth.metrics.');

interface Gathering {
  readonly answers: Documents[];
  /** Ids of the workers that have not answered. */
  readonly missing: Set<number>;
  readonly end: () => void;
}

/** In the primary process, once: passes questions on to all workers, and what they answer back. */
export function relayMetrics(): void {
  const gatherings = new Map<number, Gathering>();
  let rounds = 0;
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isMessage(message)) return;
    if (message.kind === 'berth.metrics.are') take(gatherings.get(message.round), worker.id, message.documents);
    if (message.kind !== 'berth.metrics.gather' || gatherings.size >= METRICS_LIMITS.collections) return;
    const round = (rounds += 1);
    const workers = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected() === true);
    const answers: Documents[] = [];
    const end = (): void => {
      clearTimeout(timer);
      gatherings.delete(round);
      tell(worker, { kind: 'berth.metrics.gathered', round: message.round, answers });
    };
    const timer = setTimeout(end, METRICS_LIMITS.workersMs);
    gatherings.set(round, { answers, end, missing: new Set(workers.map((each) => each?.id ?? 0)) });
    for (const each of workers) if (each !== undefined) tell(each, { kind: 'berth.metrics.read', round });
  });
}

function take(gathering: Gathering | undefined, worker: number, documents: Documents): void {
  if (gathering?.missing.delete(worker) !== true) return;
  gathering.answers.push(documents);
  if (gathering.missing.size === 0) gathering.end();
}

/** A worker that is gone answers nothing. */
function tell(worker: Worker, message: Message): void {
  worker.send(message, () => undefined);
}

/** In a worker: answers the primary's questions, and asks for the numbers of all. */
export class WorkerMetrics {
  private readonly waiting = new Map<number, (answers: readonly Documents[]) => void>();
  private rounds = 0;
  private readonly listener = (message: unknown): void => {
    if (isMessage(message)) this.heard(message);
  };

  constructor(private readonly own: () => Promise<Documents>) {
    process.on('message', this.listener);
  }

  close(): void {
    process.off('message', this.listener);
  }

  /** Of all workers that answer in time; of this one alone when the primary does not. */
  async gather(): Promise<readonly Documents[]> {
    const round = (this.rounds += 1);
    const answers = await new Promise<readonly Documents[]>((resolve) => {
      const timer = setTimeout(() => resolve([]), METRICS_LIMITS.workersMs + METRICS_LIMITS.readMs);
      this.waiting.set(round, (given) => {
        clearTimeout(timer);
        resolve(given);
      });
      this.tell({ kind: 'berth.metrics.gather', round });
    });
    this.waiting.delete(round);
    return answers.length > 0 ? answers : [await this.own()];
  }

  private heard(message: Message): void {
    if (message.kind === 'berth.metrics.gathered') this.waiting.get(message.round)?.(message.answers);
    if (message.kind !== 'berth.metrics.read') return;
    const { round } = message;
    void this.own().then((documents) => this.tell({ kind: 'berth.metrics.are', round, documents }));
  }

  private tell(message: Message): void {
    process.send?.(message, undefined, undefined, () => undefined);
  }
}
