import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import type { Caller } from '../../platform/event-loop/caller';
import { CallerGone } from '../../platform/event-loop/caller';
import { Client } from '../../platform/event-loop/client';
import { UnreadAnswers, unreadAnswers } from '../../platform/http/unread-answers';
import { Unavailable } from '../../platform/values/errors';
import type { Task } from '../../platform/values/task';
import { runCharged, runUnwritten } from './large-searches';

const SMALL = SEARCH_LIMITS.largeSearchBytes;
const STEP = SMALL / 4;
const other = { isGone: false };

/** Searches that find the given number of bytes in small steps; counts what all of them found. */
class Searches {
  /** The number of searches above the small size: now, and at most. */
  large = 0;
  mostLarge = 0;
  found = 0;

  *task(bytes: number, progress: { bytes: number }): Task<string> {
    try {
      while (progress.bytes < bytes) {
        progress.bytes += STEP;
        this.found += STEP;
        if (progress.bytes === 2 * SMALL) this.mostLarge = Math.max(this.mostLarge, (this.large += 1));
        // Long enough for other tasks to run.
        for (const until = performance.now() + 2; performance.now() < until;) yield;
      }
      return 'all of it';
    } finally {
      if (progress.bytes >= 2 * SMALL) this.large -= 1;
    }
  }

  run(bytes: number, unread: UnreadAnswers, caller: Caller = other): Promise<string> {
    const progress = { bytes: 0 };
    const charge = unread.charge();
    return runCharged(this.task(bytes, progress), progress, charge, caller).catch((error: unknown) => {
      charge.release();
      throw error;
    });
  }
}

it('charges nothing for a small search', async () => {
  const unread = new UnreadAnswers(1);
  await expect(new Searches().run(SMALL, unread)).resolves.toBe('all of it');
  expect(unread.unreadBytes).toBe(0);
});

it('runs a few large searches at a time and charges them as they grow', async () => {
  const unread = new UnreadAnswers(100 * SMALL);
  const searches = new Searches();
  const running = Array.from({ length: 6 }, () => searches.run(4 * SMALL, unread));
  const small = searches.run(SMALL / 2, unread);
  await expect(Promise.race([...running, small.then(() => 'the small one')])).resolves.toBe('the small one');
  await Promise.all(running);
  expect(searches.mostLarge).toBe(SEARCH_LIMITS.largeSearches);
  expect(unread.unreadBytes).toBe(6 * 4 * SMALL);
});

it('refuses a search that exceeds the remaining bytes long before it ends', async () => {
  const unread = new UnreadAnswers(10 * SMALL);
  const searches = new Searches();
  await searches.run(8 * SMALL, unread);
  searches.found = 0;
  await expect(searches.run(100 * SMALL, unread)).rejects.toBeInstanceOf(Unavailable);
  expect(searches.found).toBeLessThanOrEqual(3 * SMALL);
  expect([searches.large, unread.unreadBytes]).toEqual([0, 8 * SMALL]);
});

it('does not start for a caller that disconnected while it waited', async () => {
  const unread = new UnreadAnswers(100 * SMALL);
  const searches = new Searches();
  const caller = { isGone: false };
  const running = Array.from({ length: SEARCH_LIMITS.largeSearches }, () => searches.run(8 * SMALL, unread));
  const left = searches.run(8 * SMALL, unread, caller);
  const ended = expect(left).rejects.toBeInstanceOf(CallerGone);
  caller.isGone = true;
  await ended;
  await Promise.all(running);
});

it('runs one large search per client at a time, and another client in parallel', async () => {
  const unread = new UnreadAnswers(100 * SMALL);
  const [own, others] = [new Searches(), new Searches()];
  const [busy, other] = [new Client(), new Client()].map((client) => ({ isGone: false, client }));
  const order: string[] = [];
  const note = (name: string) => (): number => order.push(name);
  const running = Array.from({ length: 3 }, () => own.run(4 * SMALL, unread, busy).then(note('busy')));
  await Promise.all([...running, others.run(4 * SMALL, unread, other).then(note('other'))]);
  expect(own.mostLarge).toBe(SEARCH_LIMITS.largeSearchesOfClient);
  expect(order.indexOf('other')).toBeLessThan(2);
});

it('charges a search without a written answer until it ends, through the same gate', async () => {
  const searches = new Searches();
  const charged: number[] = [];
  const running = Array.from({ length: 3 }, () =>
    runUnwritten(({ progress = { bytes: 0 } }) => searches.task(4 * SMALL, progress)).then(() =>
      charged.push(unreadAnswers.unreadBytes),
    ),
  );
  await Promise.all(running);
  expect(searches.mostLarge).toBe(SEARCH_LIMITS.largeSearches);
  expect(charged[0]).toBeGreaterThan(0);
  expect(unreadAnswers.unreadBytes).toBe(0);
});
