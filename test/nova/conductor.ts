// A client on the message queue that calls as nova-conductor does, with plain AMQP and JSON.
import { randomUUID } from 'node:crypto';
import type { Channel, ChannelModel } from 'amqplib';
import { connect } from 'amqplib';

export interface Answer {
  readonly result: any;
  /** Decoded; null without a failure. */
  readonly failure: any;
}

interface CallOptions {
  readonly requestId?: string;
  readonly replyTo?: string;
  /** When nova-api received the user's request. */
  readonly requestedAtMs?: number;
  /** How long the conductor waits while heartbeats arrive. */
  readonly waitsMs?: number;
}

const hex = (): string => randomUUID().replaceAll('-', '');

export class Conductor {
  private readonly waiting = new Map<string, (answer: Answer) => void>();
  readonly replyQueue = `reply_${hex()}`;

  private constructor(
    private readonly model: ChannelModel,
    private readonly channel: Channel,
  ) {}

  static async connect(transportUrl: string): Promise<Conductor> {
    const model = await connect(transportUrl.replace('rabbit://', 'amqp://').replace(/\/$/, '/%2F'));
    const channel = await model.createChannel();
    const conductor = new Conductor(model, channel);
    await channel.assertQueue(conductor.replyQueue, { durable: false, arguments: { 'x-expires': 600_000 } });
    await channel.consume(conductor.replyQueue, (message) => conductor.receive(message?.content), { noAck: true });
    return conductor;
  }

  /** Waits until a server consumes the queue of schedulers. */
  async awaitScheduler(): Promise<void> {
    for (let tries = 0; tries < 200; tries += 1) {
      const consumers = await this.consumers();
      if (consumers > 0) return;
      await new Promise((resume) => setTimeout(resume, 100));
    }
    throw new Error('no scheduler consumes the queue');
  }

  private async consumers(): Promise<number> {
    // A passive declaration of a queue that does not exist closes the channel.
    const channel = await this.model.createChannel();
    channel.on('error', () => undefined);
    try {
      return (await channel.checkQueue('scheduler')).consumerCount;
    } catch {
      return 0;
    } finally {
      await channel.close().catch(() => undefined);
    }
  }

  /** Calls `select_destinations` and waits for the last reply. */
  select(
    args: object,
    {
      requestId = `req-${randomUUID()}`,
      replyTo = this.replyQueue,
      requestedAtMs = Date.now(),
      waitsMs = 1_800_000,
    }: CallOptions = {},
  ): Promise<Answer> {
    const id = hex();
    const answer = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    const call = {
      method: 'select_destinations',
      version: '4.5',
      args: { return_objects: true, return_alternates: true, ...args },
      _msg_id: id,
      _reply_q: replyTo,
      _timeout: 60,
      _context_request_id: requestId,
      _context_user_id: 'caller',
      _context_project_id: 'project',
      // Without a zone, as nova writes it.
      _context_timestamp: new Date(requestedAtMs).toISOString().slice(0, -1),
      _context_auth_token: 'a-live-token',
    };
    this.publish('nova', 'scheduler', call, waitsMs);
    return answer;
  }

  cast(method: string, version: string, args: object): void {
    this.publish('scheduler_fanout', '', { method, version, args });
  }

  private publish(exchange: string, key: string, message: object, waitsMs = 1_800_000): void {
    const text = JSON.stringify({ ...message, _unique_id: hex() });
    const body = JSON.stringify({ 'oslo.version': '2.0', 'oslo.message': text });
    this.channel.publish(exchange, key, Buffer.from(body), {
      contentType: 'application/json',
      contentEncoding: 'utf-8',
      expiration: String(waitsMs),
    });
  }

  private receive(content: Buffer | undefined): void {
    if (content === undefined) return;
    const outer = JSON.parse(content.toString('utf8')) as { readonly 'oslo.message': string };
    const { result, failure, ending, _msg_id: id } = JSON.parse(outer['oslo.message']);
    if (ending !== true) return;
    this.waiting.get(id)?.({ result, failure: failure === null ? null : JSON.parse(failure) });
    this.waiting.delete(id);
  }

  async close(): Promise<void> {
    await this.model.close();
  }
}
