// How much a step of a large write does between two chances of others.
import { randomUUID } from 'node:crypto';
import { WRITE_LIMITS } from '../config/limits';
import type { HeldAllocation } from '../consumers/consumers.writes';
import type { Walk } from '../domain/walk';
import { finish } from '../domain/walk';
import type { ConsumerWrite } from './allocations.commands';
import { consequencesWalk, isLongWrite, rowsOf } from './claim-law';
import type { Consequences, NamedRequest } from './claim-law';

const PROVIDERS = 2_000;
const PER_CONSUMER = 5;

const providers = new Map(Array.from({ length: PROVIDERS }, (_, at) => [randomUUID(), at + 1]));
const providerUuids = [...providers.keys()];
const classes = new Map(Array.from({ length: PER_CONSUMER }, (_, at) => [`CUSTOM_${at}`, at + 1]));
const owners = { projects: new Map([['p', 1]]), users: new Map([['u', 1]]), types: new Map() };
const resources = new Map([...classes.keys()].map((name) => [name, 2]));

const writeOn = (provider: string): ConsumerWrite => ({
  consumerUuid: randomUUID(),
  belief: { kind: 'mustBeNew' },
  projectId: 'p',
  userId: 'u',
  consumerType: undefined,
  allocations: new Map([[provider, resources]]),
});
const requestOf = (count: number): NamedRequest => ({
  writes: Array.from({ length: count }, (_, at) => writeOn(providerUuids[at % PROVIDERS] ?? '')),
  owners,
  names: { providerUuids, providers, classes },
});

/** The most that was counted between two chances to stop, and what came of the walk. */
function mostBetween<T>(walk: Walk<T>, counter: { count: number }): { readonly most: number; readonly value: T } {
  let most = 0;
  for (;;) {
    counter.count = 0;
    const step = walk.next();
    most = Math.max(most, counter.count);
    if (step.done === true) return { most, value: step.value };
  }
}

describe('ten thousand consumers of five amounts each', () => {
  const request = requestOf(10_000);
  const counter = { count: 0 };
  /** What somebody held before, which counts whenever it is looked at. */
  const old = (): readonly HeldAllocation[] => [
    {
      classId: 1,
      used: 1,
      get providerId(): number {
        counter.count += 1;
        return 1;
      },
    },
  ];
  const { most, value } = mostBetween(consequencesWalk([request], old), counter);

  it('are looked at in pieces', () => {
    expect(isLongWrite(request.writes)).toBe(true);
    // A consumer counts for its five amounts and the one that it had; none is looked at twice in one piece.
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(Math.ceil(WRITE_LIMITS.amountsPerPiece / PER_CONSUMER) * 2);
  });

  it('come to the same as in one piece', () => {
    const { changes, moves, raises }: Consequences = value;
    expect(changes[0]).toHaveLength(10_000);
    expect(moves).toHaveLength(PROVIDERS * PER_CONSUMER);
    const moved = moves.reduce((sum, { delta }) => sum + delta, 0);
    expect(moved).toBe(10_000 * (PER_CONSUMER * 2 - 1));
    expect(raises.size).toBe(PROVIDERS);
    expect(new Set(raises.values())).toEqual(new Set([1]));
  });
});

it('gives way within a request whose consumers give back much and ask nothing', () => {
  const writes = requestOf(500).writes.map((write) => ({ ...write, allocations: new Map() }));
  const before = Array.from({ length: 1_000 }, (_, at) => ({ providerId: at + 1, classId: 1, used: 1 }));
  let steps = 0;
  const walk = consequencesWalk([{ ...requestOf(0), writes }], () => before);
  while (walk.next().done !== true) steps += 1;
  // Looked at twice: for the moves, and for the generations.
  expect(steps).toBeGreaterThanOrEqual((2 * 500 * 1_000) / (WRITE_LIMITS.amountsPerPiece + 1_000));
});

it('removes rows of many by statements that each remove a bounded number', () => {
  const request = requestOf(300);
  const before = Array.from({ length: 400 }, (_, at) => ({ providerId: at + 1, classId: 1, used: 1 }));
  const held = new Map(request.writes.map(({ consumerUuid }, at) => [consumerUuid, { id: at + 1, before }]));
  const { changes } = finish(consequencesWalk([request], () => before));
  const gone = [...rowsOf(changes.flat(), held, 1)].filter(({ sql }) => sql.startsWith('DELETE FROM allocations'));
  expect(gone.flatMap(({ params }) => params)).toEqual([...held.values()].map(({ id }) => id));
  expect(Math.max(...gone.map(({ params }) => params.length * before.length))).toBeLessThanOrEqual(1_400);
});

it('counts what is given back as part of a write’s length', () => {
  const writes = requestOf(2).writes.map((write) => ({ ...write, allocations: new Map() }));
  const held = { providerId: 1, classId: 1, used: 1 };
  const before = (rows: number) => (): readonly HeldAllocation[] => Array.from({ length: rows }, () => held);
  expect(isLongWrite(writes, before(WRITE_LIMITS.amountsPerPiece / 2 - 1))).toBe(false);
  expect(isLongWrite(writes, before(WRITE_LIMITS.amountsPerPiece / 2))).toBe(true);
});
