import type { Task } from '../values/task';
import { CallerGone } from './caller';
import { Client } from './client';
import { TaskScheduler } from './task-scheduler';

/** Yields `steps` times and records its name each time. */
function* noting(name: string, steps: number, notes: string[]): Task<string> {
  for (let step = 0; step < steps; step += 1) {
    notes.push(name);
    yield;
  }
  return name;
}

async function pacing(tasks: TaskScheduler, pieces: number, notes: string[]): Promise<void> {
  for (let piece = 0; piece < pieces; piece += 1) await tasks.paced(() => notes.push('paced'));
}

/** A clock that moves by `ms` whenever it is read. */
function ticking(ms: number): () => number {
  let nowMs = 0;
  return () => (nowMs += ms);
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('completes a task within its first slice before any other task runs', async () => {
  const notes: string[] = [];
  const tasks = new TaskScheduler(10, () => 0);
  const running = tasks.run(noting('short', 3, notes));
  expect(notes).toEqual(['short', 'short', 'short']);
  await expect(running).resolves.toBe('short');
  expect(tasks.waiting).toBe(0);
});

it('runs timers and sockets between two slices of a long task', async () => {
  const notes: string[] = [];
  const tasks = new TaskScheduler(4, ticking(1));
  const running = tasks.run(noting('long', 100, notes));
  const seen: number[] = [];
  while (tasks.waiting > 0) {
    seen.push(notes.length);
    await nextRound();
  }
  await running;
  expect(seen.length).toBeGreaterThan(10);
  const extended = seen.map((count, at) => count - (seen[at - 1] ?? 0));
  expect(Math.max(...extended)).toBeLessThanOrEqual(5);
});

it('alternates between running tasks; a short later task does not wait for a long one', async () => {
  const notes: string[] = [];
  const tasks = new TaskScheduler(4, ticking(1));
  const long = tasks.run(noting('long', 200, notes));
  await nextRound();
  const short = tasks.run(noting('short', 6, notes));
  await expect(short).resolves.toBe('short');
  expect(tasks.waiting).toBe(1);
  expect(notes.filter((name) => name === 'long').length).toBeLessThan(100);
  await expect(long).resolves.toBe('long');
});

it('shares one phase of the event loop among all tasks that arrive in it', async () => {
  const notes: string[] = [];
  const tasks = new TaskScheduler(4, ticking(1));
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => tasks.run(noting(name, 20, notes)));
  // Tasks that arrived after the phase's time was used up have not started.
  expect(new Set(notes).size).toBeLessThan(6);
  await expect(Promise.all(all)).resolves.toHaveLength(6);
});

it('cancels the task when the caller disconnects', async () => {
  const notes: string[] = [];
  const tasks = new TaskScheduler(4, ticking(1));
  const caller = { isGone: false };
  const running = tasks.run(noting('left', 1_000_000, notes), caller);
  await nextRound();
  caller.isGone = true;
  await expect(running).rejects.toBeInstanceOf(CallerGone);
  const done = notes.length;
  await nextRound();
  expect(notes.length).toBe(done);
  await expect(tasks.yieldToEventLoop(caller)).rejects.toBeInstanceOf(CallerGone);
});

it('gives way to other work between the pieces of paced work', async () => {
  const notes: string[] = [];
  const tasks = new TaskScheduler(4, ticking(1));
  let isDone = false;
  const running = pacing(tasks, 100, notes).finally(() => (isDone = true));
  const seen: number[] = [];
  while (!isDone) {
    seen.push(notes.length);
    await nextRound();
  }
  await running;
  const extended = seen.map((count, at) => count - (seen[at - 1] ?? 0));
  expect(seen.length).toBeGreaterThan(10);
  expect(Math.max(...extended)).toBeLessThanOrEqual(5);
});

it('rethrows the error of a task, from its first slice or a later one', async () => {
  function* failing(after: number): Task<never> {
    for (let step = 0; step < after; step += 1) yield;
    throw new Error(`failed after ${after}`);
  }
  const tasks = new TaskScheduler(4, ticking(1));
  await expect(tasks.run(failing(0))).rejects.toThrow('failed after 0');
  await expect(tasks.run(failing(50))).rejects.toThrow('failed after 50');
});

it('counts the time between two short pieces of work, although it was not reported', async () => {
  let nowMs = 0;
  const tasks = new TaskScheduler(4, () => nowMs);
  await tasks.paced(() => (nowMs += 1));
  nowMs += 4;
  let isDone = false;
  const second = tasks.paced(() => (isDone = true));
  expect(isDone).toBe(false);
  await second;
  expect(isDone).toBe(true);
});

it('releases one yielding task at a time, so its continuation has a slice of its own', async () => {
  const tasks = new TaskScheduler(4, () => 0);
  const order: string[] = [];
  const pauses = ['first', 'second'].map((name) => tasks.yieldToEventLoop().then(() => order.push(name)));
  await nextRound();
  expect(order).toEqual(['first']);
  await Promise.all(pauses);
  expect(order).toEqual(['first', 'second']);
});

it('lets paced work pass between long tasks, which continue meanwhile', async () => {
  const notes: string[] = [];
  const tasks = new TaskScheduler(4, ticking(1));
  const running = ['a', 'b', 'c'].map((name) => tasks.run(noting(name, 2_000, notes)));
  await nextRound();
  const before = notes.length;
  await pacing(tasks, 100, notes);
  expect(tasks.waiting).toBe(3);
  expect(notes.slice(before).filter((name) => name !== 'paced').length).toBeGreaterThan(20);
  await expect(Promise.all(running)).resolves.toEqual(['a', 'b', 'c']);
});

describe('tasks of clients with shares', () => {
  /** A caller whose client already has this usage. */
  const callerOf = (workMs: number): { readonly isGone: false; readonly client: Client } => {
    const client = new Client();
    client.charge(workMs);
    return { isGone: false, client };
  };

  it('are charged with their time', async () => {
    const tasks = new TaskScheduler(4, ticking(1));
    const [short, long] = [callerOf(0), callerOf(0)];
    await Promise.all([tasks.run(noting('short', 2, []), short), tasks.run(noting('long', 50, []), long)]);
    expect(short.client.usageMs).toBeGreaterThan(0);
    expect(long.client.usageMs).toBeGreaterThan(50);
  });

  it('alternate with tasks that no client is charged for', async () => {
    const notes: string[] = [];
    const tasks = new TaskScheduler(4, ticking(1));
    const ran = [
      tasks.run(noting('plain', 60, notes)),
      tasks.run(noting('plain', 60, notes)),
      tasks.run(noting('shared', 60, notes), callerOf(1_000)),
    ];
    await Promise.race(ran);
    for (const name of ['plain', 'shared']) expect(notes.filter((each) => each === name).length).toBeGreaterThan(20);
    await Promise.all(ran);
  });
});
