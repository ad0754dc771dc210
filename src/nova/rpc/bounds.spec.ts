// The bounds of a server: identifiers that it remembers, calls that wait.
import { RecentIds } from './recent-ids';
import { WorkQueue } from './work-queue';

describe('recent identifiers', () => {
  it('find a repeated one', () => {
    const ids = new RecentIds(10, 1_000);
    expect([ids.add('a', 0), ids.add('b', 0), ids.add('a', 999)]).toEqual([true, true, false]);
  });

  it('are forgotten after their time', () => {
    const ids = new RecentIds(10, 1_000);
    ids.add('a', 0);
    expect([ids.has('a', 999), ids.has('a', 1_000), ids.add('a', 1_000)]).toEqual([true, false, true]);
  });

  it('are forgotten in the order of their arrival if there are too many', () => {
    const ids = new RecentIds(2, 1_000);
    for (const id of ['a', 'b', 'c']) ids.add(id, 0);
    expect(['a', 'b', 'c'].map((id) => ids.has(id, 0))).toEqual([false, true, true]);
  });
});

describe('a work queue', () => {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const task = (id: number) => (): Promise<void> => {
    started.push(id);
    return new Promise((end) => ends.push(end));
  };
  beforeEach(() => {
    for (const list of [started, ends]) list.splice(0);
  });

  it('runs tasks in their order and refuses those over its bound', async () => {
    const queue = new WorkQueue({ working: 2, waiting: 1, waitingBytes: 100 });
    expect([1, 2, 3, 4].map((id) => queue.add(task(id), 1))).toEqual([true, true, true, false]);
    expect([started, queue.length]).toEqual([[1, 2], 3]);
    ends[1]?.();
    await new Promise((resume) => setImmediate(resume));
    expect([started, queue.length]).toEqual([[1, 2, 3], 2]);
  });

  it('refuses bytes over its bound, unless the task starts at once', async () => {
    const queue = new WorkQueue({ working: 1, waiting: 10, waitingBytes: 100 });
    expect([500, 60, 60, 40].map((bytes, id) => queue.add(task(id), bytes))).toEqual([true, true, false, true]);
    ends[0]?.();
    await new Promise((resume) => setImmediate(resume));
    expect(queue.add(task(4), 60)).toBe(true);
  });
});
