import { Unavailable } from '../values/errors';
import type { GroupEntry, GroupLimits } from './group-queue';
import { GroupQueue } from './group-queue';

interface Member {
  readonly name: string;
  readonly kind?: string;
  readonly keys?: readonly string[];
  readonly weight?: number;
}

/** A queue whose groups end on the test's command. */
class Stage {
  readonly groups: string[][] = [];
  private readonly open: { readonly entries: readonly GroupEntry<Member>[]; readonly end: () => void }[] = [];
  readonly queue: GroupQueue<Member>;

  constructor(limits: Partial<GroupLimits> = {}) {
    this.queue = new GroupQueue<Member>(
      { inFlight: 1, members: 100, weight: 1_000, waiting: 100, waitMs: 10_000, ...limits },
      {
        kindOf: ({ kind = 'any' }) => kind,
        keysOf: ({ name, keys = [name] }) => keys,
        weightOf: ({ weight = 1 }) => weight,
      },
      (entries) => {
        this.groups.push(entries.map(({ member }) => member.name));
        return new Promise((end) => this.open.push({ entries, end }));
      },
    );
  }

  add(...members: readonly (Member | string)[]): readonly Promise<void>[] {
    return members.map((member) => this.queue.add(typeof member === 'string' ? { name: member } : member));
  }

  /** Ends all groups, to leave no timer running. */
  async drain(): Promise<void> {
    while (this.open.length > 0) await this.end();
  }

  /** Ends the oldest running group. */
  async end(): Promise<void> {
    const group = this.open.shift();
    for (const entry of group?.entries ?? []) entry.succeed();
    group?.end();
    await new Promise((resume) => setImmediate(resume));
  }
}

it('starts at once if a place is free, and groups the members that arrived in the meantime', async () => {
  const stage = new Stage();
  const done = stage.add('a', 'b', 'c');
  expect(stage.groups).toEqual([['a']]);
  await stage.end();
  expect(stage.groups).toEqual([['a'], ['b', 'c']]);
  await stage.end();
  await Promise.all(done);
  expect(stage.groups.length).toBe(2);
});

it('limits the number of running groups', async () => {
  const stage = new Stage({ inFlight: 2 });
  void stage.add('a', 'b', 'c', 'd');
  expect(stage.groups).toEqual([['a'], ['b']]);
  await stage.end();
  expect(stage.groups).toEqual([['a'], ['b'], ['c', 'd']]);
  void stage.add('e');
  expect(stage.groups.length).toBe(3);
  await stage.drain();
});

const LIMITS: readonly [string, Partial<GroupLimits>, readonly Member[], readonly (readonly string[])[]][] = [
  ['members', { members: 2 }, [{ name: 'b' }, { name: 'c' }, { name: 'd' }], [['b', 'c'], ['d']]],
  [
    'weight',
    { weight: 5 },
    [
      { name: 'b', weight: 2 },
      { name: 'c', weight: 3 },
      { name: 'd', weight: 1 },
    ],
    [['b', 'c'], ['d']],
  ],
  [
    'weight, passing over what is too heavy',
    { weight: 5 },
    [
      { name: 'b', weight: 4 },
      { name: 'c', weight: 2 },
      { name: 'd', weight: 1 },
    ],
    [['b', 'd'], ['c']],
  ],
  [
    'one kind, that of the longest waiting',
    {},
    [
      { name: 'b', kind: 'x' },
      { name: 'c', kind: 'y' },
      { name: 'd', kind: 'x' },
      { name: 'e', kind: 'y' },
    ],
    [
      ['b', 'd'],
      ['c', 'e'],
    ],
  ],
  [
    'different keys, in the order of arrival for each key',
    {},
    [
      { name: 'b', keys: ['1'] },
      { name: 'c', keys: ['1', '2'] },
      { name: 'd', keys: ['2'] },
      { name: 'e', keys: ['3'] },
    ],
    [['b', 'e'], ['c'], ['d']],
  ],
  [
    'different keys, also of members of another kind that wait longer',
    {},
    [
      { name: 'b', kind: 'x', keys: ['1'] },
      { name: 'c', kind: 'y', keys: ['2'] },
      { name: 'd', kind: 'x', keys: ['2'] },
    ],
    [['b'], ['c'], ['d']],
  ],
];

it.each(LIMITS)('groups by %s', async (_what, limits, members, expected) => {
  const stage = new Stage(limits);
  void stage.add('a', ...members);
  for (let number = 0; number <= expected.length; number += 1) await stage.end();
  expect(stage.groups).toEqual([['a'], ...expected]);
});

it('runs the oldest member even if it exceeds the maximum weight of a group', async () => {
  const stage = new Stage({ weight: 5 });
  void stage.add('a', { name: 'b', weight: 6 }, 'c');
  await stage.end();
  await stage.end();
  expect(stage.groups).toEqual([['a'], ['b'], ['c']]);
});

it('refuses a member if the queue is full or the wait timed out', async () => {
  const stage = new Stage({ waiting: 2, waitMs: 20 });
  const [, second = Promise.resolve(), third = Promise.resolve(), fourth = Promise.resolve()] = stage.add(
    'a',
    'b',
    'c',
    'd',
  );
  await expect(fourth).rejects.toThrow(Unavailable);
  await expect(second).rejects.toThrow(Unavailable);
  await expect(third).rejects.toThrow(Unavailable);
  void stage.add('e');
  await stage.end();
  expect(stage.groups).toEqual([['a'], ['e']]);
});

it('settles each member separately, and the rest with the error of a failed run', async () => {
  const queue = new GroupQueue<string>(
    { inFlight: 1, members: 10, weight: 10, waiting: 10, waitMs: 1_000 },
    { kindOf: () => '', keysOf: (name) => [name], weightOf: () => 1 },
    async (entries) => {
      await new Promise((resume) => setImmediate(resume));
      if (entries.length === 1) return entries[0]?.succeed();
      entries[0]?.succeed();
      entries[1]?.fail(new Error('its own'));
      throw new Error('of the run');
    },
  );
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => queue.add(name)));
  expect(outcomes.map((each) => (each.status === 'rejected' ? String(each.reason) : 'done'))).toEqual([
    'done',
    'done',
    'Error: its own',
    'Error: of the run',
  ]);
  await queue.add('after');
});
