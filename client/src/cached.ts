// Caches resources that change rarely. `cached(client.traits, { ttlMs: 300_000 })` has the same functions and answers
// `list` and `get` from memory until the answer expires. Writes through it invalidate the cache at once; writes of
// other clients become visible after expiry.
import { CLIENT_LIMITS } from './limits.ts';

interface CacheSettings {
  /** Maximum age of an answer. */
  readonly ttlMs?: number;
  /** Maximum number of answers; the least recently used is dropped first. */
  readonly entries?: number;
}

interface Kept {
  readonly answer: Promise<unknown>;
  readonly until: number;
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** Answers are shared between callers and therefore frozen. Failures are not cached. */
export function cached<R extends object>(
  resource: R,
  { ttlMs = CLIENT_LIMITS.cachedMs, entries = CLIENT_LIMITS.cachedAnswers }: CacheSettings = {},
): R {
  const kept = new Map<string, Kept>();
  const reads =
    (name: string, call: Call): Call =>
    async (...given) => {
      const key = keyOf(name, given);
      // A call with a signal is not shared, because its caller can abort it.
      if (key === undefined) return call(...given);
      const known = kept.get(key);
      kept.delete(key);
      const entry = known !== undefined && performance.now() < known.until ? known : begin(key, call(...given));
      kept.set(key, entry);
      for (const [oldest] of kept) if (kept.size > entries) kept.delete(oldest);
      return entry.answer;
    };
  const begin = (key: string, asked: Promise<unknown>): Kept => {
    const answer = asked.then(frozen);
    const entry = { answer, until: performance.now() + ttlMs };
    answer.catch(() => kept.get(key) === entry && kept.delete(key));
    return entry;
  };
  const writes =
    (call: Call): Call =>
    (...given) => {
      const done = call(...given);
      return done.finally(() => kept.clear());
    };
  const wrapped = (members: object, prefix: string): object => {
    const entries = Object.entries(members).map(([name, member]: [string, unknown]) => {
      const path = `${prefix}${name}`;
      if (typeof member !== 'function') return [name, wrapped(member as object, `${path}.`)];
      return [name, READS.has(name) ? reads(path, member as Call) : writes(member as Call)];
    });
    return Object.fromEntries(entries) as object;
  };
  return wrapped(resource, '') as R;
}

const READS: ReadonlySet<string> = new Set(['list', 'get']);

/** Undefined if the arguments contain a signal. */
function keyOf(name: string, given: readonly unknown[]): string | undefined {
  let isShared = true;
  const key = JSON.stringify([name, ...given], (_, value: unknown) => {
    if (value instanceof AbortSignal) isShared = false;
    return value instanceof URLSearchParams ? value.toString() : value;
  });
  return isShared ? key : undefined;
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
