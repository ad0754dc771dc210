import { WorkedOut } from './worked-out';

interface Found {
  readonly atMs: number;
}

const BOUNDS = { keptMs: 10, firstWaitMs: 20 };

/** One that counts how often it is begun, and ends when it is told to. */
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

describe('what is worked out when somebody asks', () => {
  let work: Work;
  beforeEach(() => {
    work = new Work();
  });

  it('is waited for by all who ask first, and worked out once', async () => {
    const asked = [work.newest(0), work.newest(0)];
    work.end({ atMs: 0 });
    expect(await Promise.all(asked)).toEqual(Array(2).fill({ state: 'current', last: { atMs: 0 } }));
    expect(work.begun).toBe(1);
  });

  it('is not waited for beyond its bound', async () => {
    expect(await work.newest(0)).toEqual({ state: 'computing', last: null });
  });

  it('is kept until it is too old, and then told while a newer one is worked out', async () => {
    await work.first(0);
    expect(await work.newest(9)).toEqual({ state: 'current', last: { atMs: 0 } });
    expect(await work.newest(10)).toEqual({ state: 'computing', last: { atMs: 0 } });
    expect(work.begun).toBe(2);
  });

  it('tells who waits for the first one what kept it, and is begun again by the next', async () => {
    const asked = work.newest(0);
    work.fail(new Error('the database is away'));
    await expect(asked).rejects.toThrow('the database is away');
    await work.first(0);
    expect(work.begun).toBe(2);
  });

  it('stays what it was when a newer one fails', async () => {
    await work.first(0);
    await work.newest(10);
    work.fail(new Error('the database is away'));
    await new Promise(setImmediate);
    expect(work.kept.isRunning).toBe(false);
    expect(work.kept.last).toEqual({ atMs: 0 });
  });
});
