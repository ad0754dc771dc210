// Questions from any process of the service to all of them, itself included: readiness and metrics. A single process
// answers its own question at once.
import cluster from 'node:cluster';
import { PROCESS_LIMITS } from '../config/limits/processes';
import type { WorkerAnswer, WorkerAnswers, WorkerMessage } from './worker-exchange';
import { isWorkerMessage } from './worker-exchange';

type Answerer = () => unknown;

/** The channel to the supervisor: a worker's `process`. */
export interface WorkerPort {
  readonly pid: number;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
  send?(message: WorkerMessage, done: (error: Error | null) => void): boolean;
}

export class WorkerChannel {
  private readonly answerers = new Map<string, Answerer>();
  /** Running questions by kind. Concurrent questions of one kind share the answers. */
  private readonly inFlight = new Map<string, Promise<WorkerAnswers>>();
  private readonly waiting = new Map<number, { answered(answer: WorkerAnswer): void; end(missing: number): void }>();
  private last = 0;
  private readonly onMessage = (message: unknown): void => this.answered(message);

  /** Without a port, this process is the only one. */
  constructor(private readonly port: WorkerPort | undefined = cluster.isWorker ? process : undefined) {
    port?.on('message', this.onMessage);
  }

  get hasOthers(): boolean {
    return this.port !== undefined;
  }

  /** The answer of this process to questions of this kind, as JSON data. A failed answer counts as missing. */
  answer(kind: string, give: Answerer): void {
    this.answerers.set(kind, give);
  }

  /**
   * Asks all listening processes, and waits slightly longer than their time limit. Never fails: processes without an
   * answer in time count as missing, also if the supervisor itself does not answer.
   */
  ask(kind: string, withinMs: number): Promise<WorkerAnswers> {
    const known = this.inFlight.get(kind);
    if (known !== undefined) return known;
    const answers = this.port === undefined ? this.own(kind) : this.askAll(this.port, kind, withinMs);
    const shared = answers.finally(() => this.inFlight.delete(kind));
    this.inFlight.set(kind, shared);
    return shared;
  }

  close(): void {
    this.port?.off('message', this.onMessage);
  }

  private async own(kind: string): Promise<WorkerAnswers> {
    const value = await this.valueOf(kind);
    return value === undefined ? { answers: [], missing: 1 } : { answers: [{ pid: process.pid, value }], missing: 0 };
  }

  private askAll(port: WorkerPort, kind: string, withinMs: number): Promise<WorkerAnswers> {
    const id = (this.last += 1);
    return new Promise((resolve) => {
      const answers: WorkerAnswer[] = [];
      const end = (missing: number): void => {
        clearTimeout(timer);
        this.waiting.delete(id);
        resolve({ answers, missing });
      };
      const timer = setTimeout(() => end(1), withinMs + PROCESS_LIMITS.workersAnswerMarginMs);
      this.waiting.set(id, { answered: (answer) => answers.push(answer), end });
      this.send(port, { berth: 'ask', id, kind, withinMs });
    });
  }

  private answered(message: unknown): void {
    const { port } = this;
    if (port === undefined || !isWorkerMessage(message)) return;
    if (message.berth === 'answered') this.waiting.get(message.id)?.answered(message.answer);
    if (message.berth === 'all-answered') this.waiting.get(message.id)?.end(message.missing);
    if (message.berth !== 'question') return;
    const { id, kind } = message;
    void this.valueOf(kind).then((value) => {
      if (value !== undefined) this.send(port, { berth: 'answer', id, value });
    });
  }

  /** Undefined if no answerer exists for the kind, or if it failed. */
  private async valueOf(kind: string): Promise<unknown> {
    try {
      return await this.answerers.get(kind)?.();
    } catch {
      return undefined;
    }
  }

  private send(port: WorkerPort, message: WorkerMessage): void {
    // If the supervisor has exited, this process exits, too.
    port.send?.(message, () => undefined);
  }
}
