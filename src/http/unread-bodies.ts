// Bodies that are being read, together: each is bounded by itself, and hundreds at once by this.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HTTP_LIMITS } from '../config/limits';
import { sendRefusal } from './error-document';
import { isStreamed } from './streamed-bodies';

/** Bytes that bodies under way may still take. */
class UnreadBodies {
  private charged = 0;

  constructor(private readonly bytesMax: number = HTTP_LIMITS.unreadBodiesBytes) {}

  /** False: there is no room. */
  charge(bytes: number): boolean {
    if (this.charged + bytes > this.bytesMax) return false;
    this.charged += bytes;
    return true;
  }

  release(bytes: number): void {
    this.charged -= bytes;
  }
}

/** Small ones cost nothing, nor those that are never held; of one whose length is not told the most is taken. */
function bytesOf(request: FastifyRequest): number {
  if (isStreamed(request)) return 0;
  const { headers, routeOptions } = request;
  const most = routeOptions.bodyLimit ?? HTTP_LIMITS.bodyBytes;
  if (most <= HTTP_LIMITS.smallBodyBytes) return 0;
  if (headers['transfer-encoding'] !== undefined) return most;
  const declared = Number(headers['content-length'] ?? 0);
  return declared > HTTP_LIMITS.smallBodyBytes ? Math.min(declared, most) : 0;
}

/**
 * Refuses a body for which there is no room while others are read: 503 with `Retry-After`, and the connection is closed,
 * for the body would have to be read to get past it.
 */
export function boundUnreadBodies(server: FastifyInstance, bodies = new UnreadBodies()): void {
  server.addHook('preParsing', (request, reply, _payload, done) => {
    const bytes = bytesOf(request);
    if (bytes === 0) return done();
    if (!bodies.charge(bytes)) {
      sendRefusal(request, reply, {
        status: 503,
        detail: 'Too many large bodies are being read. Try again in a moment.',
        headers: { 'retry-after': String(HTTP_LIMITS.retryAfterSeconds), connection: 'close' },
      });
      return;
    }
    // Also of one whose client hangs up.
    request.raw.once('close', () => bodies.release(bytes));
    done();
  });
}
