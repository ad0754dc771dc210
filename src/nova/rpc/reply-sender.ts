// Sends replies through the default exchange, with the broker's confirmation. A reply whose queue does not exist is sent
// again for a limited time, because a restarted broker or caller declares the queue again.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfirmChannel, Message, Options } from 'amqplib';
import type { ConnectionOptions } from './broker-connection';
import { BrokerConnection } from './broker-connection';
import type { Reply } from './envelope';
import { writeReply } from './envelope';
import { RecentIds } from './recent-ids';
import type { ReplyOutcome } from './rpc-methods';

/** An attempt just before the deadline still waits this long: without a confirm, a claim stays until the call expires. */
const CONFIRM_MS = 2_000;
const SECOND_MS = 1_000;
const RETRY_MS = 250;
/** Queues that did not exist for the whole time of the attempts; further replies to them are dropped. */
const MISSING_QUEUES_MAX = 200;

const PROPERTIES: Options.Publish = {
  mandatory: true,
  persistent: true,
  contentType: 'application/json',
  contentEncoding: 'utf-8',
  priority: 0,
  headers: {},
};

/** `unsent`: no connection. `lost`: the connection ended before the confirmation, or the broker refused the message. */
type Attempt = 'delivered' | 'returned' | 'lost' | 'unsent';

export class ReplySender {
  private readonly connection: BrokerConnection<ConfirmChannel>;
  private readonly missingQueues: RecentIds;
  private readonly retryMs: number;
  private readonly givenUp = new AbortController();
  /** Ids of messages that the broker returned and has not confirmed yet; it returns a message before it confirms it. */
  private readonly returned = new Set<string>();

  constructor(options: ConnectionOptions) {
    this.retryMs = options.rabbit.missingConsumerRetrySeconds * SECOND_MS;
    this.missingQueues = new RecentIds(MISSING_QUEUES_MAX, this.retryMs);
    this.connection = new BrokerConnection(options, async (model) => {
      const channel = await model.createConfirmChannel();
      channel.on('return', ({ properties }: Message) => this.returned.add(String(properties.messageId)));
      return channel;
    });
  }

  get isConnected(): boolean {
    return this.connection.channel !== null;
  }

  start(): void {
    this.connection.start();
  }

  stop(): Promise<void> {
    this.giveUp();
    return this.connection.stop();
  }

  /** Ends all attempts: what was not delivered is reported now. */
  giveUp(): void {
    this.givenUp.abort();
  }

  /** Sends a reply until it is delivered or the time for attempts has passed. */
  async send(queue: string, reply: Reply): Promise<ReplyOutcome> {
    const { signal } = this.givenUp;
    if (signal.aborted || this.missingQueues.has(queue, Date.now())) return 'returned';
    // All attempts have one id, so a caller that receives two of them ignores the second.
    const { id, body } = writeReply(reply);
    const deadline = Date.now() + this.retryMs;
    let attempt: Attempt;
    let isUncertain = false;
    do {
      attempt = await this.attempt(queue, id, body, deadline);
      if (attempt === 'delivered') return attempt;
      isUncertain ||= attempt === 'lost';
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    } while (!signal.aborted && Date.now() < deadline);
    if (attempt === 'returned' && !signal.aborted) this.missingQueues.add(queue, Date.now());
    return isUncertain ? 'unconfirmed' : 'returned';
  }

  private async attempt(queue: string, id: string, body: Buffer, deadline: number): Promise<Attempt> {
    const { channel } = this.connection;
    if (channel === null) return 'unsent';
    const waiting = new AbortController();
    const confirmed = new Promise<Attempt>((resolve) => {
      const onConfirm = (error: unknown): void => {
        const isReturned = this.returned.delete(id);
        resolve(isReturned ? 'returned' : error === null ? 'delivered' : 'lost');
      };
      try {
        channel.publish('', queue, body, { ...PROPERTIES, messageId: id }, onConfirm);
      } catch {
        // The channel is closed; nothing was sent.
        resolve('unsent');
      }
    });
    // A blocked broker neither confirms nor ends the connection.
    const signal = AbortSignal.any([waiting.signal, this.givenUp.signal]);
    const late = sleep(Math.max(deadline - Date.now(), CONFIRM_MS), 'lost' as const, { signal });
    try {
      return await Promise.race([confirmed, late.catch(() => 'lost' as const)]);
    } finally {
      waiting.abort();
    }
  }
}
