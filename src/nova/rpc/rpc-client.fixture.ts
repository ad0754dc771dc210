// A client of the bus: sends messages as oslo.messaging does, and collects replies.

import { randomUUID } from 'node:crypto';
import type { ConfirmChannel } from 'amqplib';
import { connect } from 'amqplib';
import type { Json } from '../objects/captured.fixture';

export const hex = (): string => randomUUID().replaceAll('-', '');

const PROPERTIES = {
  contentType: 'application/json',
  contentEncoding: 'utf-8',
  deliveryMode: 2,
  priority: 0,
  headers: {},
};
const WAIT_MS = 60_000;

export const bodyOf = (message: Json): Buffer =>
  Buffer.from(JSON.stringify({ 'oslo.version': '2.0', 'oslo.message': JSON.stringify(message) }));

export class RpcClient {
  readonly replyQueue = `reply_${hex()}`;
  readonly replies: Json[] = [];

  private constructor(
    readonly channel: ConfirmChannel,
    private readonly end: () => Promise<void>,
  ) {}

  static async open(url: string): Promise<RpcClient> {
    const model = await connect(url);
    model.on('error', () => undefined);
    const channel = await model.createConfirmChannel();
    channel.on('error', () => undefined);
    const client = new RpcClient(channel, () => model.close());
    await client.declareReplyQueue();
    return client;
  }

  async declareReplyQueue(): Promise<void> {
    const { channel, replies, replyQueue } = this;
    await channel.assertQueue(replyQueue, { durable: false, arguments: { 'x-expires': 1_800_000 } });
    await channel.consume(replyQueue, (message) => {
      if (message === null) return;
      const outer = JSON.parse(message.content.toString()) as Json;
      replies.push({ ...(JSON.parse(outer['oslo.message'] as string) as Json), properties: message.properties });
      channel.ack(message);
    });
  }

  /** A call of this method; `message` replaces parts. Returns the id of the call. */
  async call(method: string, args: Json, message: Json = {}, properties: object = {}): Promise<string> {
    const id = hex();
    const reply = { _msg_id: id, _reply_q: this.replyQueue, _timeout: null, _unique_id: hex() };
    const body = bodyOf({ method, args, version: '4.5', ...reply, _context_request_id: 'req-1', ...message });
    await this.publish('nova', 'scheduler', body, { expiration: '1800000', ...properties });
    return id;
  }

  cast(method: string, args: Json, version = '4.2'): Promise<void> {
    return this.publish('scheduler_fanout', '', bodyOf({ method, args, version, _unique_id: hex() }));
  }

  async publish(exchange: string, key: string, body: Buffer, properties: object = {}): Promise<void> {
    const error = await new Promise<unknown>((resolve) => {
      this.channel.publish(exchange, key, body, { ...PROPERTIES, ...properties }, resolve);
    });
    if (error instanceof Error) throw error;
  }

  /** The last reply to a call. */
  async replyTo(id: string): Promise<Json> {
    return until(`a reply to ${id}`, () => this.repliesTo(id).find(({ ending }) => ending === true));
  }

  repliesTo(id: string): readonly Json[] {
    return this.replies.filter(({ _msg_id: answered }) => answered === id);
  }

  async close(): Promise<void> {
    await this.end().catch(() => undefined);
  }
}

/** Waits for a value. */
export async function until<T>(what: string, look: () => T | undefined | false | null): Promise<T> {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline;) {
    const found = look();
    if (found !== undefined && found !== false && found !== null) return found;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  throw new Error(`There is not ${what} after ${WAIT_MS} ms.`);
}
