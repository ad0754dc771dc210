import type { Walk } from '../domain/walk';
import { CallerGone, Turns } from './turns';

/** Yields `steps` times, noting its name each time. */
function* noting(name: string, steps: number, notes: string[]): Walk<string> {
  for (let step = 0; step < steps; step += 1) {
    notes.push(name);
    yield;
  }
  return name;
}

/** A clock that moves by `ms` whenever it is read. */
function ticking(ms: number): () => number {
  let nowMs = 0;
  return () => (nowMs += ms);
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('finishes what is done within its first turn before anybody else comes', async () => {
  const notes: string[] = [];
  const turns = new Turns(10, () => 0);
  const running = turns.run(noting('short', 3, notes));
  expect(notes).toEqual(['short', 'short', 'short']);
  await expect(running).resolves.toBe('short');
  expect(turns.waiting).toBe(0);
});

it('lets timers and sockets come between two turns of a long walk', async () => {
  const notes: string[] = [];
  const turns = new Turns(4, ticking(1));
  const running = turns.run(noting('long', 100, notes));
  const seen: number[] = [];
  while (turns.waiting > 0) {
    seen.push(notes.length);
    await nextRound();
  }
  await running;
  expect(seen.length).toBeGreaterThan(10);
  const grown = seen.map((count, at) => count - (seen[at - 1] ?? 0));
  expect(Math.max(...grown)).toBeLessThanOrEqual(5);
});

it('serves walks under way in turns, and a short one that comes later is not kept waiting for the long', async () => {
  const notes: string[] = [];
  const turns = new Turns(4, ticking(1));
  const long = turns.run(noting('long', 200, notes));
  await nextRound();
  const short = turns.run(noting('short', 6, notes));
  await expect(short).resolves.toBe('short');
  expect(turns.waiting).toBe(1);
  expect(notes.filter((name) => name === 'long').length).toBeLessThan(100);
  await expect(long).resolves.toBe('long');
});

it('shares one turn of the event loop among everything that arrives in it', async () => {
  const notes: string[] = [];
  const turns = new Turns(4, ticking(1));
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => turns.run(noting(name, 20, notes)));
  // Those that came when the turn was used up have not begun.
  expect(new Set(notes).size).toBeLessThan(6);
  await expect(Promise.all(all)).resolves.toHaveLength(6);
});

it('puts the work down when the caller is gone', async () => {
  const notes: string[] = [];
  const turns = new Turns(4, ticking(1));
  const caller = { isGone: false };
  const running = turns.run(noting('left', 1_000_000, notes), caller);
  await nextRound();
  caller.isGone = true;
  await expect(running).rejects.toBeInstanceOf(CallerGone);
  const done = notes.length;
  await nextRound();
  expect(notes.length).toBe(done);
  await expect(turns.giveWay(caller)).rejects.toBeInstanceOf(CallerGone);
});

it('passes on what a walk throws, in its first turn and in a later one', async () => {
  function* failing(after: number): Walk<never> {
    for (let step = 0; step < after; step += 1) yield;
    throw new Error(`failed after ${after}`);
  }
  const turns = new Turns(4, ticking(1));
  await expect(turns.run(failing(0))).rejects.toThrow('failed after 0');
  await expect(turns.run(failing(50))).rejects.toThrow('failed after 50');
});

it('gives way to one at a time, so that what goes on after it has a turn of its own', async () => {
  const turns = new Turns(4, () => 0);
  const order: string[] = [];
  const pauses = ['first', 'second'].map((name) => turns.giveWay().then(() => order.push(name)));
  await nextRound();
  expect(order).toEqual(['first']);
  await Promise.all(pauses);
  expect(order).toEqual(['first', 'second']);
});

describe('many long walks', () => {
  const bounds = { under: 2, parked: 1 };

  it('are under way a few at a time: the others had their first turns and wait for one to end', async () => {
    const notes: string[] = [];
    const turns = new Turns(4, ticking(1), bounds);
    const first = ['a', 'b', 'c'].map((name) => turns.run(noting(name, 60, notes)));
    await Promise.race(first);
    expect(notes.filter((name) => name === 'c').length).toBeLessThan(10);
    await expect(Promise.all(first)).resolves.toEqual(['a', 'b', 'c']);
    expect(turns.waiting).toBe(0);
  });

  it('do not keep a short one waiting, and what is too many is refused', async () => {
    const notes: string[] = [];
    const turns = new Turns(4, ticking(1), bounds);
    const running = ['a', 'b', 'c', 'd'].map((name) => turns.run(noting(name, 400, notes)));
    await expect(running[3]).rejects.toThrow('Too much long work');
    await expect(turns.run(noting('short', 2, notes))).resolves.toBe('short');
    expect(turns.waiting).toBe(3);
    await expect(Promise.all(running.slice(0, 3))).resolves.toEqual(['a', 'b', 'c']);
  });
});
