// Charges the results of searches before they become answers, and limits how many large searches run at a time. The
// others keep their small first results and wait in a queue that is fair between clients. Most searches end before they
// become large.
import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import type { Caller } from '../../platform/event-loop/caller';
import { FairGate } from '../../platform/event-loop/fair-gate';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { Charge } from '../../platform/http/unread-answers';
import { unreadAnswers } from '../../platform/http/unread-answers';
import type { Task } from '../../platform/values/task';
import type { SearchProgress, SizeBound } from '../candidate-search';

/** The charge for a candidate without a written answer. */
const CANDIDATE_BYTES = 256;

/** The result of a search. */
interface Found<T> {
  readonly value: T;
}

/** One gate for the process, like its memory. */
const gate = new FairGate('large searches', {
  inside: SEARCH_LIMITS.largeSearches,
  insideOfClient: SEARCH_LIMITS.largeSearchesOfClient,
  waiting: SEARCH_LIMITS.largeSearchesWaiting,
  waitingOfClient: SEARCH_LIMITS.largeSearchesWaiting,
  waitMs: SEARCH_LIMITS.largeSearchWaitMs,
});

/** Running, waiting and refused searches since the process started. */
export const largeSearchFigures = (): FairGate['figures'] => gate.figures;

/**
 * Runs a search that keeps `progress` up to date. Throws TooManyRequests if too many large searches wait or this one
 * waited too long; Unavailable if its result exceeds the remaining unread bytes; CallerGone.
 */
export async function runCharged<T>(
  search: Task<T>,
  progress: SearchProgress,
  charge: Charge,
  caller?: Caller,
): Promise<T> {
  const first = await tasks.run(untilLarge(search, progress), caller);
  if (first !== undefined) return first.value;
  try {
    return await gate.pass(() => tasks.run(charging(search, progress, charge), caller), caller);
  } finally {
    search.return(undefined as T);
  }
}

/** Same for a search without a written answer: its result stays charged until it ends. */
export async function runUnwritten<T>(taskOf: (bound: SizeBound) => Task<T>, caller?: Caller): Promise<T> {
  const progress = { bytes: 0 };
  const charge = unreadAnswers.charge();
  try {
    const bound = { bytesOfShape: () => CANDIDATE_BYTES, maxBytes: Number.POSITIVE_INFINITY, progress };
    return await runCharged(taskOf(bound), progress, charge, caller);
  } finally {
    charge.release();
  }
}

/** Undefined once the search is large; the caller then resumes it. */
function* untilLarge<T>(search: Task<T>, progress: SearchProgress): Task<Found<T> | undefined> {
  while (progress.bytes <= SEARCH_LIMITS.largeSearchBytes) {
    const step = search.next();
    if (step.done === true) return { value: step.value };
    yield;
  }
  return undefined;
}

function* charging<T>(search: Task<T>, progress: SearchProgress, charge: Charge): Task<T> {
  // A search that restarts in another order has found less than before.
  for (let most = 0; ; yield) {
    if (progress.bytes > most) charge.to((most = progress.bytes));
    const step = search.next();
    if (step.done === true) return step.value;
  }
}
