// Server of oslo.messaging's remote procedure calls over RabbitMQ. Each message is acknowledged before the work on it
// starts, so a call is worked on at most once; a call whose caller does not receive its reply is reported to the method.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { InfoLog } from '../../platform/logging/logger.token';
import { runtimeError } from '../objects/failure';
import type { ConnectionOptions } from './broker-connection';
import { BrokerConnection } from './broker-connection';
import { CallRun } from './call-run';
import type { ReplyAddress, RpcMessage } from './envelope';
import { EnvelopeError, readMessage } from './envelope';
import type { RabbitOptions } from './rabbit-options';
import { RecentIds } from './recent-ids';
import { ReplySender } from './reply-sender';
import type { RpcCall, RpcContext, RpcMethods } from './rpc-methods';
import { selectMethod } from './rpc-methods';
import type { Topic, Topology } from './topology';
import { declareTopology, topologyOf } from './topology';
import type { TransportUrl } from './transport-url';
import { WorkQueue } from './work-queue';

const MEBIBYTE = 1_048_576;
/** Longer than a message can wait in a queue. */
const UNIQUE_ID_AGE_MS = 1_800_000;
const UNIQUE_IDS_MAX = 20_000;
/** Casts that wait for the one in work. A cloud of 10 000 hosts sends 83 a second. */
const WAITING_CASTS_MAX = 10_000;
/** Of waiting calls, and of waiting casts. */
const WAITING_BYTES_MAX = 256 * MEBIBYTE;

export interface RpcLimits {
  readonly bodyBytes: number;
  readonly callsInWork: number;
  readonly callsWaiting: number;
  /** How long a stop waits for calls in work and for their replies. With a silent broker it takes 5 s more. */
  readonly drainMs: number;
}

export const DEFAULT_LIMITS: RpcLimits = {
  bodyBytes: 16 * MEBIBYTE,
  callsInWork: 32,
  callsWaiting: 2_000,
  drainMs: 60_000,
};

export interface RpcOptions extends Pick<Topic, 'exchange' | 'topic' | 'server'> {
  readonly transport: TransportUrl;
  readonly rabbit: RabbitOptions;
  /** The program, as the broker's tools show it. */
  readonly program: string;
  readonly limits?: RpcLimits;
}

/** Numbers of messages since the start. */
interface RpcCounters {
  calls: number;
  casts: number;
  /** Repeated deliveries of a message. */
  duplicates: number;
  /** Messages that could not be read, or that exceed a limit. */
  refused: number;
}

export class RpcServer {
  readonly counters: RpcCounters = { calls: 0, casts: 0, duplicates: 0, refused: 0 };
  private readonly limits: RpcLimits;
  private readonly topology: Topology;
  private readonly sender: ReplySender;
  private readonly consumer: BrokerConnection<Channel>;
  private readonly uniqueIds = new RecentIds(UNIQUE_IDS_MAX, UNIQUE_ID_AGE_MS);
  private readonly calls: WorkQueue;
  private readonly casts = new WorkQueue({
    working: 1,
    waiting: WAITING_CASTS_MAX,
    waitingBytes: WAITING_BYTES_MAX,
  });
  private readonly runs = new Set<CallRun>();
  private consumerTags: readonly string[] = [];
  private drained: Promise<void> | undefined;

  constructor(
    options: RpcOptions,
    private readonly methods: RpcMethods,
    private readonly log: InfoLog,
  ) {
    const { exchange, topic, server, transport, rabbit, program } = options;
    const fanoutId = randomUUID().replaceAll('-', '');
    this.limits = options.limits ?? DEFAULT_LIMITS;
    this.topology = topologyOf({ exchange, topic, server, fanoutId }, rabbit);
    const connection = (purpose: string): ConnectionOptions => {
      const name = `${program}:${process.pid}:${fanoutId}:${purpose}`;
      return { transport, rabbit, log, name };
    };
    this.sender = new ReplySender(connection('replies'));
    this.consumer = new BrokerConnection(connection('requests'), (model, restart) => this.consume(model, restart));
    const { callsInWork: working, callsWaiting: waiting } = this.limits;
    this.calls = new WorkQueue({ working, waiting, waitingBytes: WAITING_BYTES_MAX });
  }

  /** Whether messages are received and replies can be sent. */
  get isReady(): boolean {
    return this.consumer.channel !== null && this.sender.isConnected && this.drained === undefined;
  }

  /** Connects, and connects again after each failure, until the drain. */
  start(): void {
    this.sender.start();
    this.consumer.start();
  }

  /** Receives no more messages, finishes the calls that were received, and closes the connections. */
  drain(): Promise<void> {
    this.drained ??= this.end(Date.now() + this.limits.drainMs);
    return this.drained;
  }

  private async end(deadline: number): Promise<void> {
    const cancelMs = Math.min(this.limits.drainMs, CANCEL_TIMEOUT_MS);
    // A broker that does not answer must not hold the stop.
    await Promise.race([this.stopConsuming(), sleep(cancelMs, undefined, { ref: false })]);
    await this.consumer.stop();
    if (!(await this.hasFinished(deadline))) {
      this.log.warn({ calls: this.runs.size }, 'The stop does not wait any more for calls in work.');
      for (const run of this.runs) run.abort('the server stops');
      this.sender.giveUp();
      // The methods receive the abort and report what they can.
      await this.hasFinished(Date.now() + ABORT_GRACE_MS);
    }
    await this.sender.stop();
  }

  /** Whether all calls and casts end before the deadline, replies included. */
  private async hasFinished(deadline: number): Promise<boolean> {
    while (this.runs.size > 0 || this.casts.length > 0) {
      if (Date.now() >= deadline) return false;
      await sleep(POLL_MS);
    }
    return true;
  }

  private async consume(model: ChannelModel, restart: (reason: string) => void): Promise<Channel> {
    await declareTopology(model, this.topology);
    const channel = await model.createChannel();
    const tags: string[] = [];
    for (const { name, consume, prefetch } of this.topology.queues) {
      // It limits the consumers that start after it.
      await channel.prefetch(prefetch);
      const onMessage = (message: ConsumeMessage | null): void => {
        if (message === null) restart(`the broker cancelled the consumer of queue ${name}`);
        else this.receive(channel, message);
      };
      tags.push((await channel.consume(name, onMessage, consume)).consumerTag);
    }
    this.consumerTags = tags;
    return channel;
  }

  private async stopConsuming(): Promise<void> {
    const { channel } = this.consumer;
    if (channel === null) return;
    try {
      for (const tag of this.consumerTags) await channel.cancel(tag);
      const { ownQueue } = this.topology;
      if (ownQueue !== null) await channel.deleteQueue(ownQueue);
    } catch (error) {
      // The connection has ended, and its consumers with it; the queue expires.
      this.log.warn({ error }, 'The consumers could not be cancelled.');
    }
  }

  private receive(channel: Channel, delivered: ConsumeMessage): void {
    try {
      channel.ack(delivered);
    } catch (error) {
      // The broker delivers the message again, to another connection.
      this.log.warn({ error }, 'A message could not be acknowledged and is dropped.');
      return;
    }
    try {
      const message = readMessage(delivered, this.limits.bodyBytes);
      const { uniqueId, method } = message;
      if (uniqueId !== null && !this.uniqueIds.add(uniqueId, Date.now())) {
        this.counters.duplicates += 1;
        this.log.warn({ method, unique_id: uniqueId }, 'A repeated message is ignored.');
        return;
      }
      const { length: bytes } = delivered.content;
      if (message.reply === null) this.receiveCast(message, bytes);
      else this.receiveCall(message, message.reply, bytes);
    } catch (error) {
      this.counters.refused += 1;
      const reason = error instanceof EnvelopeError ? error.message : 'it could not be read';
      this.log.warn({ bytes: delivered.content.length }, `A message is dropped: ${reason}.`);
    }
  }

  private receiveCall(message: RpcMessage, address: ReplyAddress, bytes: number): void {
    this.counters.calls += 1;
    const { method, context } = message;
    const fields = { method, request_id: context.requestId, message_id: address.messageId };
    const run = new CallRun(address, context.requestedAtMs, fields, this.sender, this.log);
    this.runs.add(run);
    // A reply that waits for its queue must not hold the place of another call.
    const finish = (answer: Parameters<CallRun['finish']>[0]): void =>
      void run.finish(answer).finally(() => this.runs.delete(run));
    const work = async (): Promise<void> =>
      finish(await run.work(() => this.methodOf(message)(message.args, contextOf(message, run), run.signal)));
    if (this.calls.add(work, bytes)) return;
    this.log.warn({ ...fields, waiting: this.calls.length }, 'Too many calls wait; a call is refused.');
    finish(run.refusal(runtimeError(TOO_MANY_CALLS)));
  }

  private methodOf(message: RpcMessage): RpcCall {
    const selected = selectMethod(this.methods, message);
    if ('call' in selected) return selected.call;
    return async (args, context) => {
      await selected.cast(args, context);
      return { result: null };
    };
  }

  /** Casts run one after the other, because a later one can replace what an earlier one reported. */
  private receiveCast(message: RpcMessage, bytes: number): void {
    this.counters.casts += 1;
    const { method } = message;
    const work = async (): Promise<void> => {
      try {
        const selected = selectMethod(this.methods, message);
        if ('cast' in selected) await selected.cast(message.args, contextOf(message, null));
        else this.log.warn({ method }, 'A call without a reply address is dropped.');
      } catch (error) {
        this.log.warn({ method, error }, 'A cast failed.');
      }
    };
    if (this.casts.add(work, bytes)) return;
    this.counters.refused += 1;
    this.log.warn({ method, waiting: this.casts.length }, 'Too many casts wait; a cast is dropped.');
  }
}

const POLL_MS = 20;
/** How long the broker can take to cancel the consumers. */
const CANCEL_TIMEOUT_MS = 5_000;
/** After the abort at the end of a drain. */
const ABORT_GRACE_MS = 1_000;
const TOO_MANY_CALLS = 'The scheduler has too many waiting calls. Try again later.';

const contextOf = (
  { context, uniqueId, reply }: RpcMessage,
  run: Pick<CallRun, 'expiresAtMs' | 'isCallerInDoubt'> | null,
): RpcContext => ({
  ...context,
  uniqueId,
  messageId: reply?.messageId ?? null,
  expiresAtMs: run?.expiresAtMs ?? null,
  isCallerInDoubt: run?.isCallerInDoubt ?? false,
});
