// The messages between the supervisor and its workers, and the supervisor's part: it forwards a worker's question to
// all listening workers, and returns their answers one by one. An answer can have megabytes, and the receiver parses
// each message in one step.
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';

/** The answer of one worker. */
export interface WorkerAnswer {
  readonly pid: number;
  readonly value: unknown;
}

/** The answers of all listening workers, once complete. */
export interface WorkerAnswers {
  readonly answers: readonly WorkerAnswer[];
  /** The number of workers without an answer in time. */
  readonly missing: number;
}

export type WorkerMessage =
  /** From a worker: ask all workers. Later answers count as missing. */
  | { readonly berth: 'ask'; readonly id: number; readonly kind: string; readonly withinMs: number }
  /** To a worker: the question. */
  | { readonly berth: 'question'; readonly id: number; readonly kind: string }
  /** From a worker: its answer. */
  | { readonly berth: 'answer'; readonly id: number; readonly value: unknown }
  /** To the worker that asked: one answer, and finally the end of the answers. */
  | { readonly berth: 'answered'; readonly id: number; readonly answer: WorkerAnswer }
  | { readonly berth: 'all-answered'; readonly id: number; readonly missing: number };

/** Node's cluster module sends messages, too. */
export const isWorkerMessage = (message: unknown): message is WorkerMessage =>
  typeof message === 'object' && message !== null && 'berth' in message;

type Asked = Extract<WorkerMessage, { readonly berth: 'ask' }>;

interface Question {
  /** Ids of the workers that have not answered yet. */
  readonly silent: Set<number>;
  answered(answer: WorkerAnswer): void;
  end(): void;
}

/** Makes the supervisor forward questions and answers. */
export function passOn(): void {
  const listening = new Map<number, Worker>();
  const questions = new Map<number, Question>();
  let last = 0;

  const ask = (caller: Worker, { id: questionId, kind, withinMs }: Asked): void => {
    const id = (last += 1);
    const question: Question = {
      silent: new Set(listening.keys()),
      answered: (answer) => send(caller, { berth: 'answered', id: questionId, answer }),
      end: () => {
        clearTimeout(timer);
        questions.delete(id);
        send(caller, { berth: 'all-answered', id: questionId, missing: question.silent.size });
      },
    };
    const timer = setTimeout(() => question.end(), withinMs);
    questions.set(id, question);
    for (const worker of listening.values()) send(worker, { berth: 'question', id, kind });
    if (question.silent.size === 0) question.end();
  };
  const answered = (question: Question | undefined, worker: Worker, answer?: unknown): void => {
    if (question?.silent.delete(worker.id) !== true) return;
    if (answer !== undefined) question.answered({ pid: worker.process.pid ?? 0, value: answer });
    if (question.silent.size === 0) question.end();
  };

  cluster.on('listening', (worker) => listening.set(worker.id, worker));
  cluster.on('exit', (worker) => {
    listening.delete(worker.id);
    // A dead worker no longer counts.
    for (const question of [...questions.values()]) answered(question, worker);
  });
  cluster.on('message', (worker, message: unknown) => {
    if (!isWorkerMessage(message)) return;
    if (message.berth === 'ask') ask(worker, message);
    if (message.berth === 'answer') answered(questions.get(message.id), worker, message.value ?? null);
  });
}

function send(worker: Worker, message: WorkerMessage): void {
  // The channel can close at any time; the worker's exit event follows.
  if (worker.isConnected()) worker.send(message, () => undefined);
}
