// Writes a body to the socket. A body of one block is sent at once with its length. A body of known size gets a block
// of that size, unless it is large. A longer body is written block by block at the client's pace, with yields to the
// event loop.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { HTTP_LIMITS } from '../config/limits/http';
import { CallerGone } from '../event-loop/caller';
import { tasks } from '../event-loop/task-scheduler';
import { assert } from '../values/assert';
import type { Task } from '../values/task';
import type { LongBody } from './body-bytes';
import { BodyWriter, reuseBlock } from './body-bytes';
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
    const blocks = new Blocks(body);
    const first = await tasks.run(blocks.next(), caller);
    if (blocks.isDone) {
      charge.to(first.length > HTTP_LIMITS.smallBodyBytes ? first.length : 0);
      // A closed response no longer needs the bytes, whether or not all were sent.
      reply.raw.once('close', () => reuseBlock(first));
      return reply.send(first);
    }
    const size = body.size();
    charge.to(typeof size === 'number' ? size : await tasks.run(size, caller));
    return reply.send(new BlockStream(first, blocks, reply, log));
  } catch (error) {
    charge.release();
    throw error;
  }
}

/** Maximum characters and pieces written between two yields. */
const CHARACTERS_PER_STEP = 16_384;
const PIECES_PER_STEP = 200;

/** A body in progress: writes the next block on demand. */
class Blocks {
  /** No further block follows. */
  isDone = false;
  private readonly out: BodyWriter;
  private readonly pieces: Iterator<string | Buffer>;
  private readonly ready: Buffer[] = [];
  private isWritten = false;

  constructor(body: LongBody) {
    this.out = new BodyWriter(body.isAscii, body.bytes);
    this.pieces = body.pieces()[Symbol.iterator]();
  }

  *next(): Task<Buffer> {
    while (this.ready.length === 0) {
      this.isWritten = this.writeSome();
      for (const block of this.out.takeBlocks()) this.ready.push(block);
      if (this.isWritten) this.ready.push(this.out.end());
      else if (this.ready.length === 0) yield;
    }
    const block = this.ready.shift();
    assert(block !== undefined, 'a body ends once');
    this.isDone = this.isWritten && this.ready.length === 0;
    return block;
  }

  putDown(): void {
    this.pieces.return?.();
  }

  /** Writes some pieces; returns whether they were the last. */
  private writeSome(): boolean {
    let characters = 0;
    for (let count = 0; count < PIECES_PER_STEP && characters < CHARACTERS_PER_STEP; count += 1) {
      const piece = this.pieces.next();
      if (piece.done === true) return true;
      characters += piece.value.length;
      this.out.add(piece.value);
    }
    return false;
  }
}

class BlockStream extends Readable {
  private sent = 0;

  constructor(
    private first: Buffer | undefined,
    private readonly blocks: Blocks,
    private readonly reply: FastifyReply,
    private readonly log: SendLog,
  ) {
    super();
  }

  override _read(): void {
    const { first } = this;
    this.first = undefined;
    if (first !== undefined) {
      this.forward(first);
      return;
    }
    tasks.run(this.blocks.next(), this.reply.request.berth).then(
      (block) => this.forward(block),
      (error: unknown) => this.fail(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.blocks.putDown();
    done(error);
  }

  private forward(block: Buffer): void {
    if (this.destroyed) return;
    this.sent += block.length;
    this.reply.request.berth.sentBytes = this.sent;
    this.push(block);
    if (this.blocks.isDone) this.push(null);
  }

  /** The head was already sent, so the connection is cut: the client detects an incomplete answer. */
  private fail(error: unknown): void {
    if (!(error instanceof CallerGone)) {
      this.log.error({ request_id: this.reply.request.berth.requestId, err: error }, 'an answer broke off');
    }
    this.destroy(error as Error);
  }
}
