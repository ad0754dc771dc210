// Sends a body. One that fits a chunk is sent at once with its length. A longer one is written chunk by chunk at the
// client's pace, with yields to the event loop. Node encodes the text: its memory is free again after each write, and a
// buffer's only after a garbage collection. What was sent is compared with what the body has produced.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { HTTP_LIMITS } from '../config/limits/http';
import { CallerGone } from '../event-loop/caller';
import { tasks } from '../event-loop/task-scheduler';
import type { LongBody } from './body-bytes';
import { BodyChunks, BytesBody } from './body-bytes';
import { unreadAnswers } from './unread-answers';

export interface SendLog {
  error(fields: object, message: string): void;
}

/** Throws Unavailable if too many bytes are unread, and CallerGone; in both cases nothing has been sent. */
export async function sendLong(body: LongBody, reply: FastifyReply, log: SendLog): Promise<FastifyReply> {
  const { berth: caller } = reply.request;
  const charge = body.charge ?? unreadAnswers.charge();
  try {
    // A response that is already closed would never release the charge.
    if (caller.isGone) throw new CallerGone();
    charge.until(reply.raw);
    const sending = new Sending(body);
    const first = (await tasks.run(sending.chunks.next(), caller)) ?? '';
    const second = await tasks.run(sending.chunks.next(), caller);
    if (second === undefined) {
      const bytes = sending.add(first);
      sending.end();
      charge.to(bytes > HTTP_LIMITS.smallBodyBytes ? bytes : 0);
      return sendText(first, reply);
    }
    const size = body.size();
    charge.to(typeof size === 'number' ? size : await tasks.run(size, caller));
    if (body instanceof BytesBody) reply.header('content-length', body.bytes);
    return reply.send(new ChunkStream([first, second], sending, reply, log));
  } catch (error) {
    charge.release();
    throw error;
  }
}

/** Fastify's own serializer would add a charset to the type; JSON has none. */
export const sendText = (text: string | Buffer, reply: FastifyReply): FastifyReply =>
  reply.serializer((payload: unknown): string => payload as string).send(text);

/** Counts what is sent of a body. */
class Sending {
  readonly chunks: BodyChunks;
  /** In the unit of `BodyChunks.produced`. */
  private length = 0;
  private bytes = 0;

  constructor(private readonly body: LongBody) {
    this.chunks = new BodyChunks(body);
  }

  /** Call it before a chunk is sent. Returns the bytes up to this chunk; throws if the body states fewer. */
  add(chunk: string | Buffer): number {
    const { bytes: stated } = this.body;
    this.length += chunk.length;
    this.bytes += stated === undefined ? Buffer.byteLength(chunk) : chunk.length;
    if (stated !== undefined && this.bytes > stated) throw lengthFault(stated, this.bytes);
    return this.bytes;
  }

  /** Throws unless the whole body was sent. */
  end(): void {
    const { produced } = this.chunks;
    const { bytes: stated = this.bytes } = this.body;
    if (this.length !== produced) throw lengthFault(produced, this.length);
    if (this.bytes !== stated) throw lengthFault(stated, this.bytes);
  }
}

const lengthFault = (expected: number, sent: number): Error =>
  new Error(`The body has a length of ${expected}, but ${sent} were sent.`);

/**
 * The chunks of a body. An async generator instead would keep dead answers alive until the next full garbage collection.
 */
class ChunkStream extends Readable {
  constructor(
    private readonly ready: (string | Buffer)[],
    private readonly sending: Sending,
    private readonly reply: FastifyReply,
    private readonly log: SendLog,
  ) {
    super({ objectMode: true, highWaterMark: 1 });
  }

  override _read(): void {
    const chunk = this.ready.shift();
    const next = chunk ?? tasks.run(this.sending.chunks.next(), this.reply.request.berth);
    if (next instanceof Promise) next.then((each) => this.forward(each)).catch((error: unknown) => this.fail(error));
    else this.forward(next);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.sending.chunks.cancel();
    done(error);
  }

  /** Throws if it is not what the body has produced. */
  private forward(chunk: string | Buffer | undefined): void {
    if (this.destroyed) return;
    if (chunk === undefined) this.sending.end();
    else this.reply.request.berth.sentBytes = this.sending.add(chunk);
    this.push(chunk ?? null);
  }

  /** The head was already sent, so the connection is cut: the client detects an incomplete answer. */
  private fail(error: unknown): void {
    if (!(error instanceof CallerGone)) {
      this.log.error({ request_id: this.reply.request.berth.requestId, err: error }, 'an answer broke off');
    }
    this.destroy(error as Error);
  }
}
