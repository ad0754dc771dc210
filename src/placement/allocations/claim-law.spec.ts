// The moves and increments that a request causes, and the statements that replace its rows.
import { randomUUID } from 'node:crypto';
import type { ConsumerWrite } from './allocations.commands';
import type { NamedRequest } from './claim-law';
import { movesOf, raisesOf, rowsOf, totalOf } from './claim-law';

const PROVIDERS = 2_000;
const PER_CONSUMER = 5;

const providers = new Map(Array.from({ length: PROVIDERS }, (_, at) => [randomUUID(), at + 1]));
const providerUuids = [...providers.keys()];
const classes = new Map(Array.from({ length: PER_CONSUMER }, (_, at) => [`CUSTOM_${at}`, at + 1]));
const owners = { projects: new Map([['p', 1]]), users: new Map([['u', 1]]), types: new Map() };
const resources = new Map([...classes.keys()].map((name) => [name, 2]));

const writeOn = (provider: string): ConsumerWrite => ({
  consumerUuid: randomUUID(),
  expectedGeneration: { kind: 'mustBeNew' },
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

it('sums up ten thousand consumers of five amounts each', () => {
  const request = requestOf(10_000);
  const total = totalOf(request, () => [{ classId: 1, used: 1, providerId: 1 }]);
  expect(total.changes).toHaveLength(10_000);
  const moves = movesOf([total]);
  expect(moves).toHaveLength(PROVIDERS * PER_CONSUMER);
  const moved = moves.reduce((sum, { delta }) => sum + delta, 0);
  expect(moved).toBe(10_000 * (PER_CONSUMER * 2 - 1));
  const raises = raisesOf([total]);
  expect(raises.size).toBe(PROVIDERS);
  expect(new Set(raises.values())).toEqual(new Set([1]));
});

it('requires room for what all requests add, regardless of what others release', () => {
  const [taking, giving] = [requestOf(1), requestOf(1)];
  const emptied = { ...giving, writes: giving.writes.map((write) => ({ ...write, allocations: new Map() })) };
  const totals = [totalOf(taking, () => []), totalOf(emptied, () => [{ providerId: 1, classId: 1, used: 2 }])];
  expect(movesOf(totals)[0]).toMatchObject({ providerId: 1, classId: 1, delta: 0, room: 2 });
  expect(raisesOf(totals)).toEqual(new Map([[1, 2]]));
});

it('deletes the rows of many consumers with statements that each delete a bounded number', () => {
  const request = requestOf(300);
  const before = Array.from({ length: 400 }, (_, at) => ({ providerId: at + 1, classId: 1, used: 1 }));
  const held = new Map(request.writes.map(({ consumerUuid }, at) => [consumerUuid, { id: at + 1, before }]));
  const { changes } = totalOf(request, () => before);
  const gone = [...rowsOf(changes, held, 1)].filter(({ sql }) => sql.startsWith('DELETE FROM allocations'));
  expect(gone.flatMap(({ params }) => params)).toEqual([...held.values()].map(({ id }) => id));
  expect(Math.max(...gone.map(({ params }) => params.length * before.length))).toBeLessThanOrEqual(1_400);
});
