// What clients have not taken yet of their answers, all of the process together, and what searches under way have found
// for answers to come. Who reads slowly, or not at all, makes the service keep what the answer is written from; beyond the
// bound a further large answer is refused, which frees its memory at once. To let it wait would keep it, and memory is
// what the bound is there to bound.
import type { ServerResponse } from 'node:http';
import { HTTP_LIMITS } from '../config/limits';
import { Unavailable } from '../domain/errors';

/** What one answer is charged. It may grow while the answer is worked out; whoever has one releases it, or hands it on. */
export interface Charge {
  /** Charges so many bytes instead of those before. Throws Unavailable; then it has what it had. */
  to(bytes: number): void;
  release(): void;
  /** Releases it when the response is closed, taken or not. */
  until(response: Pick<ServerResponse, 'once'>): void;
}

export class UnreadAnswers {
  private bytes = 0;

  constructor(private readonly most: number = HTTP_LIMITS.unreadAnswersBytes) {}

  /** What is charged at present. */
  get unreadBytes(): number {
    return this.bytes;
  }

  /** The charge of one answer, nothing at first. One answer is always let in, however large. */
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

/** Memory is one for the process, and so is this. */
export const unreadAnswers = new UnreadAnswers();
