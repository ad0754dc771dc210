// Sends a body. One that fits a chunk is sent at once with its length. A longer one is written chunk by chunk at the
// client's pace, with yields to the event loop. What was sent is compared with what the body has.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { CallerGone, stopIfGone } from '../event-loop/caller';
import { tasks } from '../event-loop/task-scheduler';
import type { LongBody } from './body-bytes';
import { chunksOf, nextChunk } from './body-bytes';

export interface SendLog {
  error(fields: object, message: string): void;
}

/** Throws CallerGone; nothing has been sent then. */
export async function sendLong(body: LongBody, reply: FastifyReply, log: SendLog): Promise<FastifyReply> {
  const { berth: caller } = reply.request;
  stopIfGone(caller);
  const chunks = chunksOf(body);
  const first = await tasks.run(nextChunk(chunks), caller);
  if (typeof first === 'number') return sendText('', reply);
  const second = await tasks.run(nextChunk(chunks), caller);
  if (typeof second === 'string') return reply.send(new ChunkStream([first, second], chunks, reply, log));
  assertWhole(first.length, second);
  return sendText(first, reply);
}

/** Fastify's own serializer would add a charset to the type; JSON has none. */
export const sendText = (text: string | Buffer, reply: FastifyReply): FastifyReply =>
  reply.serializer((payload: unknown): string => payload as string).send(text);

/** Compares the characters of the sent chunks with those of the body's pieces. */
function assertWhole(sent: number, characters: number): void {
  if (sent !== characters) throw new Error(`The body has ${characters} characters, but ${sent} were sent.`);
}

/** The chunks of a body. An async generator instead costs a tenth of the CPU of a search with a long answer. */
class ChunkStream extends Readable {
  private characters = 0;

  constructor(
    private readonly ready: string[],
    private readonly chunks: ReturnType<typeof chunksOf>,
    private readonly reply: FastifyReply,
    private readonly log: SendLog,
  ) {
    super({ objectMode: true, highWaterMark: 1 });
  }

  override _read(): void {
    const chunk = this.ready.shift();
    if (chunk !== undefined) return this.forward(chunk);
    const next = tasks.run(nextChunk(this.chunks), this.reply.request.berth);
    next.then((each) => this.forward(each)).catch((error: unknown) => this.fail(error));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.chunks.return(this.characters);
    done(error);
  }

  private forward(chunk: string | number): void {
    if (this.destroyed) return;
    if (typeof chunk === 'number') {
      assertWhole(this.characters, chunk);
      this.push(null);
      return;
    }
    const { berth } = this.reply.request;
    this.characters += chunk.length;
    berth.sentBytes = (berth.sentBytes ?? 0) + Buffer.byteLength(chunk);
    this.push(chunk);
  }

  /** The head was already sent, so the connection is cut: the client detects an incomplete answer. */
  private fail(error: unknown): void {
    const { requestId } = this.reply.request.berth;
    if (!(error instanceof CallerGone)) this.log.error({ request_id: requestId, err: error }, 'an answer broke off');
    this.destroy(error as Error);
  }
}
