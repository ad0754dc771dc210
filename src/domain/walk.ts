// Work that can be put down: it yields between pieces, each of bounded work, and whoever pulls it decides when it goes on.
// Pure code counts its steps and yields; it knows neither the clock nor the event loop (turns/turns.ts does).

/** Yields nothing but the chance to stop; returns its result. */
export type Walk<T> = Generator<undefined, T, undefined>;

/** Pulls a walk to its end without a pause: for tests, benchmarks and worker threads. */
export function finish<T>(walk: Walk<T>): T {
  for (;;) {
    const step = walk.next();
    if (step.done === true) return step.value;
  }
}
