import { WorkedOut } from './worked-out';

interface Found {
  readonly atMs: number;
}

const BOUNDS = { keptMs: 10, firstWaitMs: 20 };

/** Counts how often it is started, and ends on the test's command. */
class Work {
  begun = 0;
  end: (found: Found) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  readonly kept = new WorkedOut<Found>();

  newest(nowMs: number): ReturnType<WorkedOut<Found>['newest']> {
    return this.kept.newest(nowMs, BOUNDS, () => {
      this.begun += 1;
      return new Promise((resolve, reject) => {
        this.end = resolve;
        this.fail = reject;
      });
    });
  }

  async first(atMs: number): Promise<void> {
    const asked = this.newest(atMs);
    this.end({ atMs });
    await asked;
  }
}

describe('a value computed on demand', () => {
  let work: Work;
  beforeEach(() => {
    work = new Work();
  });

  it('is computed once for all first callers, who wait for it', async () => {
    const asked = [work.newest(0), work.newest(0)];
    work.end({ atMs: 0 });
    expect(await Promise.all(asked)).toEqual(Array(2).fill({ state: 'current', last: { atMs: 0 } }));
    expect(work.begun).toBe(1);
  });

  it('is waited for up to a limit', async () => {
    expect(await work.newest(0)).toEqual({ state: 'computing', last: null });
  });

  it('is cached until it expires; the old value is returned while a new one is computed', async () => {
    await work.first(0);
    expect(await work.newest(9)).toEqual({ state: 'current', last: { atMs: 0 } });
    expect(await work.newest(10)).toEqual({ state: 'computing', last: { atMs: 0 } });
    expect(work.begun).toBe(2);
  });

  it('rethrows the error of the first computation to its callers; the next call starts another one', async () => {
    const asked = work.newest(0);
    work.fail(new Error('the database is away'));
    await expect(asked).rejects.toThrow('the database is away');
    await work.first(0);
    expect(work.begun).toBe(2);
  });

  it('keeps the old value when a new computation fails', async () => {
    await work.first(0);
    await work.newest(10);
    work.fail(new Error('the database is away'));
    await new Promise(setImmediate);
    expect(work.kept.isRunning).toBe(false);
    expect(work.kept.last).toEqual({ atMs: 0 });
  });

  it('is awaited by a computation that needs it, also if it fails', async () => {
    await work.first(0);
    expect((await work.newest(10)).last).toEqual({ atMs: 0 });
    const awaited = work.kept.settled();
    work.end({ atMs: 10 });
    expect(await awaited).toEqual({ atMs: 10 });
    await work.newest(20);
    const failed = work.kept.settled();
    work.fail(new Error('no'));
    expect(await failed).toEqual({ atMs: 10 });
  });
});
