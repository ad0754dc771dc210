// Interruptible work: a generator that yields between bounded steps; its caller decides when to continue. Pure code
// counts steps and yields; it knows neither the clock nor the event loop (`platform/event-loop/task-scheduler.ts` does).

/** Yields no values, only the opportunity to pause; returns its result. */
export type Task<T> = Generator<undefined, T, undefined>;

/** Runs a generator to its end without a pause: for tests, benchmarks and worker threads. */
export function runToCompletion<T>(task: Task<T>): T {
  for (;;) {
    const step = task.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Items processed between two yields. A yield costs about 50 ns, and one item can take a millisecond: a host with NUMA
 * cells to assign, or a tree of a thousand providers.
 */
const ITEMS_PER_STEP = 8;

/** Calls `each` for all items, with yields in between. */
export function* forEachInSteps<T>(items: Iterable<T>, each: (item: T) => void): Task<void> {
  let left = ITEMS_PER_STEP;
  for (const item of items) {
    each(item);
    if ((left -= 1) > 0) continue;
    left = ITEMS_PER_STEP;
    yield;
  }
}
