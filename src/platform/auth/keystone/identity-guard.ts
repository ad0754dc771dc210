// Requests to the Identity service that never throw. Their number is limited; while the service fails, a circuit
// breaker refuses them. A fault is stored, and logged at a limited rate.

import { IDENTITY_LIMITS } from '../../config/limits/auth';
import { Gate } from '../../database/gate';
import { DomainError } from '../../values/errors';
import { CircuitBreaker } from './circuit-breaker';
import { IdentityFault } from './identity-fault';

export interface IdentityLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The request cannot be answered at present. */
export interface Undecided {
  readonly kind: 'unknown';
  readonly message: string;
  readonly retryAfterSeconds: number;
}

interface Questions {
  /** What the gate limits, for messages. */
  readonly what: string;
  readonly inside: number;
  readonly waiting: number;
  /** Messages for callers, if the service does not answer and if too many requests wait. */
  readonly unreachable: string;
  readonly busy: string;
  /** Errors can contain credentials: unexpected ones are logged by name only. */
  readonly isSecret: boolean;
}

export class IdentityGuard {
  /** The fault of the last request, if it failed. */
  fault: IdentityFault | undefined;
  lastAnswerAt = -Infinity;
  /** Requests that are cut off are no faults. */
  isClosed = false;
  private loggedAt = -Infinity;
  private readonly breaker = new CircuitBreaker(IDENTITY_LIMITS, () => performance.now());
  private readonly gate: Gate;

  constructor(
    private readonly questions: Questions,
    private readonly log: IdentityLog,
  ) {
    const { what, inside, waiting } = questions;
    this.gate = new Gate(what, { inside, waiting, waitMs: IDENTITY_LIMITS.questionMs });
  }

  async ask<T>(question: () => Promise<T>): Promise<T | Undecided> {
    if (this.breaker.waitMs > 0) return this.undecided();
    try {
      return await this.gate.pass(() => this.askNow(question));
    } catch (error) {
      if (error instanceof DomainError) return { kind: 'unknown', message: this.questions.busy, retryAfterSeconds: 1 };
      throw error;
    }
  }

  /** Without the gate. */
  async askNow<T>(question: () => Promise<T>): Promise<T | Undecided> {
    // The breaker can open while a request is queued.
    if (!this.breaker.admit()) return this.undecided();
    try {
      const answer = await question();
      this.lastAnswerAt = performance.now();
      if (this.fault !== undefined) this.log.info({}, `${this.questions.what} answers again`);
      this.fault = undefined;
      this.breaker.succeeded();
      return answer;
    } catch (error) {
      this.note(error);
      this.breaker.failed(error instanceof IdentityFault ? error.pauseMs : undefined);
      return this.undecided();
    }
  }

  /** An error that is no IdentityFault is an internal fault and is logged as such. */
  note(error: unknown): void {
    if (this.isClosed) return;
    const isKnown = error instanceof IdentityFault;
    const fault = isKnown ? error : new IdentityFault('strange', 'the request failed; see the log');
    this.fault = fault;
    const now = performance.now();
    if (now - this.loggedAt < IDENTITY_LIMITS.logEveryMs) return;
    this.loggedAt = now;
    const err = this.questions.isSecret ? (error as Error).name : error;
    this.log.warn(
      { kind: fault.kind, reason: fault.reason, ...(!isKnown && { err }) },
      `${this.questions.what} is not available`,
    );
  }

  private undecided(): Undecided {
    const seconds = Math.max(1, Math.ceil(this.breaker.waitMs / 1_000));
    return { kind: 'unknown', message: this.questions.unreachable, retryAfterSeconds: seconds };
  }
}
