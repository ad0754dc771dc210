// The law of trying again. A call is repeated only where that can do no harm:
//
//   nothing was sent                        any call
//   429 with Retry-After                    any call: the service did nothing
//   503 with Retry-After, 502, 504          repeatable calls: of a write nobody knows whether it was done
//   no answer                               repeatable calls
//
// Repeatable is what reads, and a write that says so of itself. Tries and time are bounded; what is thrown in the end is
// what the last try threw.
import { ClientError, Refusal, Unanswered, Unreachable } from './errors.ts';
import { CLIENT_LIMITS } from './limits.ts';
import { sleep } from './waiting.ts';

export interface Persistence {
  /** Tries of one call, the first included; 1 repeats nothing. */
  readonly tries: number;
  /** How long after its first try a call may be tried again. */
  readonly retriesWithinMs: number;
  /** The pause before the second try; it doubles. */
  readonly pauseMs: number;
}

interface Call {
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What `attempt` answers, after as many tries as the law allows. Throws its last error, or the reason of the signal. */
export async function persist<T>(
  attempt: () => Promise<T>,
  { isRepeatable, signal }: Call,
  { tries, retriesWithinMs, pauseMs }: Persistence,
): Promise<T> {
  const startedAt = performance.now();
  for (let tried = 1; ; tried += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      error.tries = tried;
      if (tried >= tries || !mayRepeat(error, isRepeatable)) throw error;
      const pause = Math.max(backoff(tried, pauseMs), error instanceof Refusal ? (error.retryAfterMs ?? 0) : 0);
      if (performance.now() - startedAt + pause > retriesWithinMs) throw error;
      await sleep(pause, signal);
    }
  }
}

function mayRepeat(error: ClientError, isRepeatable: boolean): boolean {
  if (error instanceof Unreachable) return true;
  if (error instanceof Unanswered) return isRepeatable;
  if (!(error instanceof Refusal)) return false;
  const { status, retryAfterMs } = error;
  if (status === 429) return retryAfterMs !== undefined;
  if (status === 503) return isRepeatable && retryAfterMs !== undefined;
  return isRepeatable && (status === 502 || status === 504);
}

function backoff(tried: number, pauseMs: number): number {
  const longest = Math.min(pauseMs * 2 ** (tried - 1), CLIENT_LIMITS.pauseMsMax);
  return longest * (0.5 + Math.random() / 2);
}
