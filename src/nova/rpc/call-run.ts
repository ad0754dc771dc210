// One call: heartbeats from its receipt to its reply, an abort when the caller does not wait any more, and the report of
// the reply's delivery.

import type { InfoLog } from '../../platform/logging/logger.token';
import type { NovaFailure } from '../objects/failure';
import { failureOf, incompatibleObject, runtimeError } from '../objects/failure';
import { NovaObjectError } from '../objects/versioned-object';
import type { ReplyAddress } from './envelope';
import type { ReplySender } from './reply-sender';
import type { ReplyOutcome, RpcAnswer } from './rpc-methods';
import { RpcFailure } from './rpc-methods';

const SECOND_MS = 1_000;
/** A shorter interval would send more heartbeats than the caller can need. */
const HEARTBEAT_MIN_MS = 1_000;
/** Longest delay of a timer of Node.js. */
const TIMER_MAX_MS = 2_147_483_647;

/** The fields of a log line about a call: none of its arguments. */
interface CallFields {
  readonly method: string;
  readonly request_id: string | null;
  readonly message_id: string;
}

/** What the method returned, or the failure that the caller receives. */
type WorkedAnswer = RpcAnswer & { readonly failure: string | null };

export class CallRun {
  readonly expiresAtMs: number | null;
  /** As of the receipt. */
  readonly isCallerInDoubt: boolean;
  private readonly aborted = new AbortController();
  private heartbeat: NodeJS.Timeout | undefined;
  private expiry: NodeJS.Timeout | undefined;
  private isHeartbeatPending = false;

  constructor(
    private readonly address: ReplyAddress,
    requestedAtMs: number | null,
    private readonly fields: CallFields,
    private readonly sender: ReplySender,
    private readonly log: InfoLog,
  ) {
    const { timeoutMs, heartbeatTimeoutSeconds: seconds } = address;
    this.expiresAtMs = timeoutMs === null ? null : Date.now() + timeoutMs;
    if (timeoutMs !== null) {
      this.expiry = setTimeout(
        () => this.abort('the caller does not wait any more'),
        Math.min(timeoutMs, TIMER_MAX_MS),
      );
    }
    this.isCallerInDoubt =
      seconds !== null && requestedAtMs !== null && Date.now() - requestedAtMs > (seconds * SECOND_MS) / 2;
    if (seconds !== null) this.startHeartbeats((seconds * SECOND_MS) / 2);
  }

  get signal(): AbortSignal {
    return this.aborted.signal;
  }

  abort(reason: string): void {
    clearInterval(this.heartbeat);
    this.aborted.abort(new Error(reason));
  }

  /** Runs the method. Null: the caller had gone before. Does not reject. */
  async work(method: () => Promise<RpcAnswer>): Promise<WorkedAnswer | null> {
    if (this.signal.aborted) {
      this.log.warn(this.fields, `A call was dropped before its start: ${this.reason()}.`);
      return null;
    }
    try {
      return { ...(await method()), failure: null };
    } catch (error) {
      return this.refusal(this.failureFor(error));
    } finally {
      clearInterval(this.heartbeat);
    }
  }

  /** The answer of a call that is not worked on. */
  refusal(failure: NovaFailure): WorkedAnswer {
    return { result: null, failure: failureOf(failure) };
  }

  /** Sends the answer and reports its delivery. Does not reject. */
  async finish(answer: WorkedAnswer | null): Promise<void> {
    try {
      if (answer === null) return;
      const outcome = await this.reply(answer);
      await answer.onReply?.(outcome);
    } catch (error) {
      this.log.warn({ ...this.fields, error }, 'The outcome of a reply could not be handled.');
    } finally {
      clearInterval(this.heartbeat);
      clearTimeout(this.expiry);
    }
  }

  private failureFor(error: unknown): NovaFailure {
    if (error instanceof RpcFailure) return error.failure;
    const { request_id: id } = this.fields;
    if (error instanceof NovaObjectError) {
      this.log.warn({ ...this.fields, error }, 'A call is refused: its arguments cannot be read.');
      return incompatibleObject(error.message);
    }
    this.log.warn({ ...this.fields, error }, 'A call failed.');
    return runtimeError(`The scheduler failed. Its log has the reason, with the request id ${id ?? '(none)'}.`);
  }

  private async reply({ result, failure }: WorkedAnswer): Promise<ReplyOutcome> {
    if (this.signal.aborted) {
      this.log.warn(this.fields, `The reply of a call was dropped: ${this.reason()}.`);
      return 'returned';
    }
    const { messageId, queue } = this.address;
    const outcome = await this.sender.send(queue, { messageId, result: result ?? null, failure, isLast: true });
    if (outcome !== 'delivered') this.log.warn({ ...this.fields, outcome }, UNDELIVERED);
    return outcome;
  }

  private startHeartbeats(intervalMs: number): void {
    if (intervalMs < HEARTBEAT_MIN_MS) {
      this.log.warn({ ...this.fields, interval_ms: intervalMs }, 'A call asks for too many heartbeats and gets none.');
      return;
    }
    this.heartbeat = setInterval(() => void this.sendHeartbeat(), Math.min(intervalMs, TIMER_MAX_MS));
  }

  private async sendHeartbeat(): Promise<void> {
    if (this.isHeartbeatPending) return;
    this.isHeartbeatPending = true;
    const { messageId, queue } = this.address;
    const outcome = await this.sender.send(queue, { messageId, result: null, failure: null, isLast: false });
    this.isHeartbeatPending = false;
    if (outcome === 'returned') this.abort('the reply queue of the caller does not exist');
  }

  private reason(): string {
    const reason: unknown = this.signal.reason;
    return reason instanceof Error ? reason.message : String(reason);
  }
}

const UNDELIVERED = 'The reply of a call could not be delivered.';
