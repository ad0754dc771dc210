// Interruptible work: a generator that yields between bounded steps; its caller decides when to continue. Pure code
// counts steps and yields; it knows neither the clock nor the event loop (turns/turns.ts does).

/** Yields no values, only the opportunity to pause; returns its result. */
export type Walk<T> = Generator<undefined, T, undefined>;

/** Runs a generator to its end without a pause: for tests, benchmarks and worker threads. */
export function finish<T>(walk: Walk<T>): T {
  for (;;) {
    const step = walk.next();
    if (step.done === true) return step.value;
  }
}
