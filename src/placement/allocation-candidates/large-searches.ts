// What searches find is charged before it becomes an answer, and of those that find much a few go on at a time: the
// others keep the little they have found until it is their turn, which comes by what was done for their clients. Most
// searches end before any of that concerns them.
import type { SearchProgress, SizeBound } from '../candidate-search';
import { HTTP_LIMITS, SEARCH_LIMITS } from '../../platform/config/limits';
import type { Walk } from '../../platform/values/walk';
import { unreadAnswers } from '../../platform/http/unread-answers';
import type { Charge } from '../../platform/http/unread-answers';
import { FairGate } from '../../platform/event-loop/fair-gate';
import { turns } from '../../platform/event-loop/turns';
import type { Caller } from '../../platform/event-loop/caller';

/** What a candidate counts where nobody writes it. */
const CANDIDATE_BYTES = 256;

/** What a search came to. */
interface Found<T> {
  readonly value: T;
}

/** Memory is one for the process, and so is the gate. */
const gate = new FairGate('large searches', {
  inside: SEARCH_LIMITS.largeSearches,
  insideOfClient: SEARCH_LIMITS.largeSearchesOfClient,
  waiting: SEARCH_LIMITS.largeSearchesWaiting,
  waitingOfClient: SEARCH_LIMITS.largeSearchesWaiting,
  waitMs: SEARCH_LIMITS.largeSearchWaitMs,
});

/** What is under way, waits, and was refused since the process began. */
export const largeSearchFigures = (): FairGate['figures'] => gate.figures;

/**
 * Pulls a search that keeps `progress` up to date. Throws TooManyRequests when too many large ones wait, or it waited too
 * long; Unavailable when what it finds is too much beside what others have not read; and CallerGone.
 */
export async function runCharged<T>(
  search: Walk<T>,
  progress: SearchProgress,
  charge: Charge,
  caller?: Caller,
): Promise<T> {
  const first = await turns.run(untilLarge(search, progress), caller);
  if (first !== undefined) return first.value;
  try {
    return await gate.pass(() => turns.run(charging(search, progress, charge), caller), caller);
  } finally {
    search.return(undefined as T);
  }
}

/** The same for a search whose answer nobody writes: what it found is charged until it has ended. */
export async function runUnwritten<T>(walkOf: (bound: SizeBound) => Walk<T>, caller?: Caller): Promise<T> {
  const progress = { bytes: 0 };
  const charge = unreadAnswers.charge();
  try {
    const bound = { bytesOfShape: () => CANDIDATE_BYTES, maxBytes: Number.POSITIVE_INFINITY, progress };
    return await runCharged(walkOf(bound), progress, charge, caller);
  } finally {
    charge.release();
  }
}

/** Undefined once it is large; it goes on where it was put down. */
function* untilLarge<T>(search: Walk<T>, progress: SearchProgress): Walk<Found<T> | undefined> {
  while (progress.bytes <= HTTP_LIMITS.wholeBodyBytes) {
    const step = search.next();
    if (step.done === true) return { value: step.value };
    yield;
  }
  return undefined;
}

function* charging<T>(search: Walk<T>, progress: SearchProgress, charge: Charge): Walk<T> {
  // A search that starts over in another order has found less than before.
  for (let most = 0; ; yield) {
    if (progress.bytes > most) charge.to((most = progress.bytes));
    const step = search.next();
    if (step.done === true) return step.value;
  }
}
