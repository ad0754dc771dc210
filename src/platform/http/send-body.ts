// Sends a body. One that fits a chunk is sent at once with its length. A longer one is written chunk by chunk at the
// client's pace, with yields to the event loop.
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
  if (first === undefined) return sendText('', reply);
  const second = await tasks.run(nextChunk(chunks), caller);
  if (second === undefined) return sendText(first, reply);
  return reply.send(Readable.from(sent([first, second], chunks, reply, log), { highWaterMark: 1 }));
}

/** Fastify's own serializer would add a charset to the type; JSON has none. */
export const sendText = (text: string | Buffer, reply: FastifyReply): FastifyReply =>
  reply.serializer((payload: unknown): string => payload as string).send(text);

/** The chunks of a body. After a failure the connection is cut: the client detects an incomplete answer. */
async function* sent(
  ready: readonly string[],
  chunks: ReturnType<typeof chunksOf>,
  { request: { berth } }: FastifyReply,
  log: SendLog,
): AsyncGenerator<string> {
  const count = (chunk: string): string => {
    berth.sentBytes = (berth.sentBytes ?? 0) + Buffer.byteLength(chunk);
    return chunk;
  };
  try {
    for (const chunk of ready) yield count(chunk);
    for (;;) {
      const chunk = await tasks.run(nextChunk(chunks), berth);
      if (chunk === undefined) return;
      yield count(chunk);
    }
  } catch (error) {
    if (!(error instanceof CallerGone)) log.error({ request_id: berth.requestId, err: error }, 'an answer broke off');
    throw error;
  } finally {
    chunks.return(undefined);
  }
}
