// What travels between the first process and its workers, and the first process's part in it: a question of one worker goes
// to all that listen, and their answers go back one by one. An answer may have megabytes, and whoever asked reads each
// message in one piece.
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';

/** What one worker says to a question. */
export interface WorkerAnswer {
  readonly pid: number;
  readonly value: unknown;
}

/** What was heard of all workers that listen, once it is. */
export interface WorkerAnswers {
  readonly answers: readonly WorkerAnswer[];
  /** Of so many nothing was heard in time. */
  readonly missing: number;
}

export type WorkerMessage =
  /** From a worker: ask all of us. Who answers later than this is missing. */
  | { readonly berth: 'ask'; readonly id: number; readonly kind: string; readonly withinMs: number }
  /** To a worker: what do you say? */
  | { readonly berth: 'question'; readonly id: number; readonly kind: string }
  /** From a worker, to a question. */
  | { readonly berth: 'answer'; readonly id: number; readonly value: unknown }
  /** To the worker that asked: what one of them says, and then that no more will be heard. */
  | { readonly berth: 'heard'; readonly id: number; readonly answer: WorkerAnswer }
  | { readonly berth: 'all-heard'; readonly id: number; readonly missing: number };

/** Other parts of the engine send messages as well. */
export const isWorkerMessage = (message: unknown): message is WorkerMessage =>
  typeof message === 'object' && message !== null && 'berth' in message;

type Asked = Extract<WorkerMessage, { readonly berth: 'ask' }>;

interface Question {
  /** Of which nothing was heard yet, by the worker's id. */
  readonly silent: Set<number>;
  heard(answer: WorkerAnswer): void;
  end(): void;
}

/** Has the first process pass questions and answers on. */
export function passOn(): void {
  const listening = new Map<number, Worker>();
  const questions = new Map<number, Question>();
  let last = 0;

  const ask = (asker: Worker, { id: asked, kind, withinMs }: Asked): void => {
    const id = (last += 1);
    const question: Question = {
      silent: new Set(listening.keys()),
      heard: (answer) => send(asker, { berth: 'heard', id: asked, answer }),
      end: () => {
        clearTimeout(timer);
        questions.delete(id);
        send(asker, { berth: 'all-heard', id: asked, missing: question.silent.size });
      },
    };
    const timer = setTimeout(() => question.end(), withinMs);
    questions.set(id, question);
    for (const worker of listening.values()) send(worker, { berth: 'question', id, kind });
    if (question.silent.size === 0) question.end();
  };
  const heard = (question: Question | undefined, worker: Worker, answer?: unknown): void => {
    if (question?.silent.delete(worker.id) !== true) return;
    if (answer !== undefined) question.heard({ pid: worker.process.pid ?? 0, value: answer });
    if (question.silent.size === 0) question.end();
  };

  cluster.on('listening', (worker) => listening.set(worker.id, worker));
  cluster.on('exit', (worker) => {
    listening.delete(worker.id);
    // Who is gone answers nothing any more, and does not count.
    for (const question of [...questions.values()]) heard(question, worker);
  });
  cluster.on('message', (worker, message: unknown) => {
    if (!isWorkerMessage(message)) return;
    if (message.berth === 'ask') ask(worker, message);
    if (message.berth === 'answer') heard(questions.get(message.id), worker, message.value ?? null);
  });
}

function send(worker: Worker, message: WorkerMessage): void {
  // Its channel may close at any time; then its exit is heard of.
  if (worker.isConnected()) worker.send(message, () => undefined);
}
