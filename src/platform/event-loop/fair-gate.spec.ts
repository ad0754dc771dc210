import { TooManyRequests } from '../values/errors';
import { CallerGone } from './caller';
import { Client } from './client';
import type { GateBounds, Place, Wait } from './fair-gate';
import { FairGate } from './fair-gate';

const BOUNDS: GateBounds = { inside: 3, insideOfClient: 2, waiting: 6, waitingOfClient: 4, waitMs: 1_000 };

const placeOf = (entered: Place | Wait): Place => {
  if ('place' in entered) throw new Error('it waits');
  return entered;
};
const waitOf = (entered: Place | Wait): Wait => {
  if ('place' in entered) return entered;
  throw new Error('it is inside');
};

/** Lets all admitted waiters continue. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a fair gate', () => {
  let gate: FairGate;
  let entered: string[];
  let refused: string[];
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
    entered = [];
    refused = [];
    gate = new FairGate('tests', BOUNDS);
  });
  afterEach(() => jest.useRealTimers());

  /** Records the admission or the refusal. */
  const noted = (name: string, client: Client | undefined): Wait => {
    const wait = waitOf(gate.enter(client));
    wait.place.then(
      () => entered.push(name),
      (error: unknown) => refused.push(`${name}: ${(error as Error).constructor.name}`),
    );
    return wait;
  };

  it('admits at once if a place is free, without a timer', () => {
    const client = new Client();
    for (let at = 0; at < 100; at += 1) placeOf(gate.enter(client)).leave();
    expect(gate.figures).toEqual({ inside: 0, waiting: 0, refused: 0 });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('admits only one waiter when a place is left twice', () => {
    const places = [undefined, undefined, undefined].map((client) => placeOf(gate.enter(client)));
    for (let times = 0; times < 3; times += 1) places[0]?.leave();
    expect(gate.figures.inside).toBe(2);
  });

  it('keeps room for others: one client fills its share, the next one is admitted at once', async () => {
    const busy = new Client();
    const places = [placeOf(gate.enter(busy)), placeOf(gate.enter(busy))];
    noted('busy', busy);
    placeOf(gate.enter(new Client())).leave();
    places[0]?.leave();
    await settled();
    expect(entered).toEqual(['busy']);
  });

  it('admits by usage: an idle client waits for one unit of a busy one', async () => {
    const [busy, quiet] = [new Client(), new Client()];
    busy.charge(1_000);
    const places = [busy, busy, undefined].map((client) => placeOf(gate.enter(client)));
    for (const name of ['b1', 'b2', 'b3']) noted(name, busy);
    noted('quiet', quiet);
    places[0]?.leave();
    await settled();
    expect(entered).toEqual(['quiet']);
    places[1]?.leave();
    await settled();
    expect(entered).toEqual(['quiet', 'b1']);
  });

  it('refuses beyond the places of a client, and evicts from the client with the most waiters', async () => {
    const [busy, other] = [new Client(), new Client()];
    for (const client of [busy, busy, undefined]) placeOf(gate.enter(client));
    for (const name of ['b1', 'b2', 'b3', 'b4', 'b5']) noted(name, busy);
    await settled();
    expect(refused).toEqual(['b5: TooManyRequests']);
    for (const name of ['o1', 'o2', 'o3']) noted(name, other);
    await settled();
    expect(refused).toEqual(['b5: TooManyRequests', 'b4: TooManyRequests']);
    expect(gate.figures).toEqual({ inside: 3, waiting: 6, refused: 2 });
  });

  it('releases a waiter that gives up, and its timer', async () => {
    const client = new Client();
    const places = [client, client, undefined].map((each) => placeOf(gate.enter(each)));
    const [first, second] = [noted('first', client), noted('second', client)];
    first.giveUp();
    first.giveUp();
    places[0]?.leave();
    await settled();
    expect([entered, refused]).toEqual([['second'], ['first: CallerGone']]);
    second.giveUp();
    expect([gate.figures.waiting, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('limits the wait', async () => {
    const client = new Client();
    for (const each of [client, client, undefined]) placeOf(gate.enter(each));
    noted('early', client);
    jest.advanceTimersByTime(600);
    noted('late', client);
    jest.advanceTimersByTime(400);
    await settled();
    expect(refused).toEqual(['early: TooManyRequests']);
    jest.advanceTimersByTime(600);
    await settled();
    expect(refused).toEqual(['early: TooManyRequests', 'late: TooManyRequests']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('runs work inside, and leaves however the work ends', async () => {
    await expect(gate.pass(() => Promise.resolve('done'))).resolves.toBe('done');
    await expect(gate.pass(() => Promise.reject(new TooManyRequests('no')))).rejects.toBeInstanceOf(TooManyRequests);
    await expect(gate.pass(() => Promise.resolve(), { isGone: true })).rejects.toBeInstanceOf(CallerGone);
    expect(gate.figures.inside).toBe(0);
  });
});
