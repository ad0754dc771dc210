// Retry rules. A call is repeated only if a repetition is safe:
//
//   request not sent                        any call
//   429 with Retry-After                    any call: the service did not execute it
//   503 with Retry-After, 502, 504          repeatable calls: the write was possibly executed
//   no answer                               repeatable calls
//
// Reads are repeatable, and writes whose caller declares it. Attempts and time are limited; the last error is thrown.
import { ClientError, Refusal, Unanswered, Unreachable } from './errors.ts';
import { CLIENT_LIMITS } from './limits.ts';
import { sleep } from './waiting.ts';

export interface Persistence {
  /** Attempts of one call including the first; 1 disables retries. */
  readonly tries: number;
  /** The latest start of a retry after the first attempt. */
  readonly retriesWithinMs: number;
  /** Pause before the second attempt; doubles with each retry. */
  readonly pauseMs: number;
}

interface Call {
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The result of `attempt`, after as many tries as the rules allow. Throws its last error or the reason of the signal.
 */
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
