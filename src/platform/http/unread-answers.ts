// Limits the memory for unread answers of the whole process, and for the results of running searches. A client that
// reads slowly makes the service keep the data of its answer. Beyond the limit a further large answer is refused, which
// frees its memory at once; queueing it would keep that memory.
import type { ServerResponse } from 'node:http';
import { HTTP_LIMITS } from '../config/limits/http';
import { Unavailable } from '../values/errors';

/** The memory charge of one answer. It can grow during the computation; its owner must release it or pass it on. */
export interface Charge {
  /** Replaces the charge by this many bytes. Throws Unavailable and keeps the previous charge. */
  to(bytes: number): void;
  release(): void;
  /** Releases the charge when the response is closed. */
  until(response: Pick<ServerResponse, 'once'>): void;
}

export class UnreadAnswers {
  private bytes = 0;

  constructor(private readonly most: number = HTTP_LIMITS.unreadAnswersBytes) {}

  /** Bytes charged at present. */
  get unreadBytes(): number {
    return this.bytes;
  }

  /** A new charge of 0 bytes. A single answer is always accepted, however large. */
  charge(): Charge {
    let own = 0;
    const to = (bytes: number): void => {
      const others = this.bytes - own;
      if (bytes > own && others > 0 && others + bytes > this.most) {
        throw new Unavailable('Too many large answers wait to be read by their clients.');
      }
      this.bytes = others + bytes;
      own = bytes;
    };
    const release = (): void => to(0);
    return { to, release, until: (response) => void response.once('close', release) };
  }
}

/** One instance per process, as memory is shared. */
export const unreadAnswers = new UnreadAnswers();
