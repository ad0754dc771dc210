// What clients have not taken yet of their answers, all of the process together. Who reads slowly, or not at all, makes
// the service keep what the answer is written from; beyond the bound a further large answer is refused, which frees its
// memory at once. To let it wait would keep it, and memory is what the bound is there to bound.
import type { ServerResponse } from 'node:http';
import { HTTP_LIMITS } from '../config/limits';
import { Unavailable } from '../errors/domain-errors';

export class UnreadAnswers {
  private bytes = 0;

  constructor(private readonly most: number = HTTP_LIMITS.unreadAnswersBytes) {}

  /** What is charged at present. */
  get unreadBytes(): number {
    return this.bytes;
  }

  /**
   * Charges an answer until its response is closed, taken or not. One is always let in, however large. Throws
   * Unavailable.
   */
  charge(bytes: number, response: Pick<ServerResponse, 'once'>): void {
    if (this.bytes > 0 && this.bytes + bytes > this.most) {
      throw new Unavailable('Too many large answers wait to be read by their clients.');
    }
    this.bytes += bytes;
    response.once('close', () => {
      this.bytes -= bytes;
    });
  }
}

/** Memory is one for the process, and so is this. */
export const unreadAnswers = new UnreadAnswers();
