// One move against a compute service that takes its time, fails by itself, or does not answer.
import { CommandFailed } from '../command-context';
import { ServiceRefused } from '../remote/service-client';
import type { ComputeClient, Server } from './compute-client';
import type { Ended, Move } from './one-move';
import { carryOut } from './one-move';

const on = (host: string | null, status = 'ACTIVE', task: string | null = null): Server => ({ host, status, task });

const MOVE = {
  number: 1,
  instance: { uuid: 'vm' },
  source: { host: 'a', node: 'a' },
  target: { host: 'b', node: 'b' },
  outcome: null,
} as unknown as Move;

/** The compute service: what the server is, look by look (the last one stays), and what an action answers. */
async function moved(
  looks: readonly (Server | null)[],
  {
    acts = [],
    move = MOVE,
    ways = ['live', 'cold'],
  }: { acts?: readonly (Error | null)[]; move?: Move; ways?: string[] } = {},
): Promise<{ readonly end: Ended; readonly actions: readonly object[]; readonly started: readonly string[] }> {
  const actions: object[] = [];
  const started: string[] = [];
  let look = 0;
  const compute: Pick<ComputeClient, 'server' | 'act' | 'lastFault'> = {
    server: () => Promise.resolve(looks[Math.min(look++, looks.length - 1)] ?? null),
    act: (_uuid, action) => {
      actions.push(action);
      const answer = acts[actions.length - 1] ?? null;
      return answer === null ? Promise.resolve() : Promise.reject(answer);
    },
    lastFault: () => Promise.resolve('the hypervisor refused'),
  };
  const end = await carryOut(move, {
    compute: compute as ComputeClient,
    ways: new Set(ways),
    starts: (way) => Promise.resolve(void started.push(way)),
  });
  return { end, actions, started };
}

const LIVE = { 'os-migrateLive': { host: 'b', block_migration: 'auto' } };
const COLD = { migrate: { host: 'b' } };
const CONFIRM = { confirmResize: null };
const MOVING = on('a', 'MIGRATING', 'migrating');
const DONE = { state: 'done', message: null };

it.each([
  ['waits for a live migration', [on('a'), MOVING, MOVING, on('b')], [LIVE], DONE],
  ['waits for what is done to the server before', [on('a', 'ACTIVE', 'rebooting'), on('a'), on('b')], [LIVE], DONE],
  [
    'confirms a cold migration and waits for it',
    [
      on('a', 'SHUTOFF'),
      on('a', 'RESIZE', 'resize_migrating'),
      on('b', 'VERIFY_RESIZE'),
      on('b', 'VERIFY_RESIZE'),
      on('b', 'SHUTOFF'),
    ],
    [COLD, CONFIRM],
    DONE,
  ],
  [
    'takes the reason of a failed migration',
    [on('a'), MOVING, on('a')],
    [LIVE],
    { state: 'failed', message: 'the hypervisor refused', isLeft: true },
  ],
  [
    'takes the error of a server as a failure',
    [on('a'), on('b', 'ERROR')],
    [LIVE],
    { state: 'failed', message: 'the hypervisor refused', isAway: false },
  ],
  [
    'does not move a server in error',
    [on('a', 'ERROR')],
    [],
    { state: 'failed', message: expect.stringContaining('ERROR') },
  ],
  [
    'sees that a server goes away meanwhile',
    [on('a'), MOVING, null],
    [LIVE],
    { state: 'done', message: 'The instance no longer exists.' },
  ],
])('%s', async (_, looks, expected, end) => {
  const result = await moved(looks);
  expect([result.actions, result.end]).toEqual([expected, expect.objectContaining(end)]);
  expect(result.started).toHaveLength(expected.length === 0 ? 0 : 1);
});

it('fails with the refusal of the compute service', async () => {
  const acts = [new ServiceRefused('Instance is locked (409)', 409, undefined)];
  expect((await moved([on('a')], { acts })).end).toMatchObject({
    state: 'failed',
    message: 'Instance is locked (409)',
  });
});

it.each([new CommandFailed('no answer'), new ServiceRefused('no answer', 504, undefined)])(
  'looks for itself after %p',
  async (error) => {
    const acts = [error];
    expect((await moved([on('a'), on('b')], { acts })).end).toMatchObject(DONE);
    expect((await moved([on('a'), on('a')], { acts })).end).toMatchObject({ state: 'failed', message: 'no answer' });
  },
);

it('accepts a migration that the compute service confirms by itself', async () => {
  const acts = [null, new ServiceRefused('it is not resized (409)', 409, undefined)];
  const looks = [on('a', 'SHUTOFF'), on('b', 'VERIFY_RESIZE'), on('b', 'SHUTOFF')];
  expect((await moved(looks, { acts })).end).toMatchObject(DONE);
  expect((await moved(looks.slice(0, 2), { acts })).end).toMatchObject({
    state: 'failed',
    message: 'The migration is not confirmed: it is not resized (409)',
  });
});

it("confirms the plan's own migration after an interruption, and no other resize", async () => {
  const own = { ...MOVE, outcome: { state: 'running', at: '', message: null, reason: null } } as const;
  const looks = [on('b', 'VERIFY_RESIZE'), on('b')];
  const resumed = await moved(looks, { move: own });
  expect([resumed.actions, resumed.end.state, resumed.started]).toEqual([[CONFIRM], 'done', []]);
  const other = await moved(looks);
  expect([other.actions, other.end.state]).toEqual([[], 'failed']);
});

it('migrates a running server cold if nothing else is allowed', async () => {
  const { end, actions } = await moved([on('a'), on('b', 'VERIFY_RESIZE'), on('b')], { ways: ['cold'] });
  expect([actions, end]).toEqual([[COLD, CONFIRM], expect.objectContaining(DONE)]);
});

it('leaves a server whose way to move is not allowed', async () => {
  const { end, actions } = await moved([on('a', 'SHUTOFF')], { ways: ['live'] });
  expect([end, actions]).toEqual([expect.objectContaining({ state: 'skipped', isAway: false, isLeft: false }), []]);
});
