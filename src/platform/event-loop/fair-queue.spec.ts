import { seededRandom } from '../values/random';
import { Client } from './client';
import { FairQueue } from './fair-queue';

const ROOMY = { places: 1_000, placesOfClient: 1_000 };

const clientAt = (workMs: number): Client => {
  const client = new Client();
  client.charge(workMs);
  return client;
};

const drained = <T>(queue: FairQueue<T>): T[] => {
  const items: T[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) items.push(item);
  return items;
};

it('serves the client with the least usage, each client in its order, and entries without a client first', () => {
  const queue = new FairQueue<string>(ROOMY);
  const [busy, quiet] = [clientAt(10), clientAt(5)];
  for (const item of ['b1', 'b2']) queue.add(busy, item);
  for (const item of ['q1', 'q2']) queue.add(quiet, item);
  queue.add(undefined, 'n1');
  expect(drained(queue)).toEqual(['n1', 'q1', 'q2', 'b1', 'b2']);
  expect(queue.size).toBe(0);
});

it('serves equal clients in the order of arrival', () => {
  const queue = new FairQueue<string>(ROOMY);
  for (const item of ['a', 'b', 'c']) queue.add(new Client(), item);
  expect(drained(queue)).toEqual(['a', 'b', 'c']);
});

it('skips clients that are not allowed', () => {
  const queue = new FairQueue<string>(ROOMY);
  const [quiet, busy] = [clientAt(0), clientAt(9)];
  queue.add(quiet, 'quiet');
  queue.add(busy, 'busy');
  expect(queue.next((owner) => owner !== quiet)).toBe('busy');
  expect(queue.next((owner) => owner !== quiet)).toBeUndefined();
  expect(queue.next()).toBe('quiet');
});

it('refuses a client whose places are full, and a client that would have the most entries', () => {
  const queue = new FairQueue<string>({ places: 4, placesOfClient: 3 });
  const one = new Client();
  for (const item of ['1', '2', '3']) expect(queue.add(one, item)).toEqual([]);
  expect(queue.add(one, '4')).toBeUndefined();
  expect(queue.size).toBe(3);
});

it('evicts the youngest entry of the client with the most', () => {
  const queue = new FairQueue<string>({ places: 4, placesOfClient: 4 });
  const [one, other] = [new Client(), new Client()];
  for (const item of ['1', '2', '3', '4']) queue.add(one, item);
  expect(queue.add(other, 'o1')).toEqual(['4']);
  expect(queue.add(other, 'o2')).toEqual(['3']);
  // Now both clients have equally many.
  expect(queue.add(other, 'o3')).toBeUndefined();
  expect(queue.add(one, '5')).toBeUndefined();
  expect(queue.size).toBe(4);
});

it('removes a cancelled entry at any position', () => {
  const queue = new FairQueue<string>(ROOMY);
  const client = new Client();
  for (const item of ['1', '2', '3']) queue.add(client, item);
  expect([queue.remove(client, '2'), queue.remove(client, '2')]).toEqual([true, false]);
  expect(drained(queue)).toEqual(['1', '3']);
  expect(queue.hasLineOf(client)).toBe(false);
});

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('laws, with random seed %i', (seed) => {
  const random = seededRandom(seed);
  const upTo = (most: number): number => 1 + Math.floor(random() * most);

  it('under constant demand the shares are equal, to one unit of the largest', () => {
    const queue = new FairQueue<Client>(ROOMY);
    const all = Array.from({ length: 1 + upTo(5) }, () => new Client());
    const units = Array.from({ length: 200 }, () => upTo(20));
    for (const client of all) for (const _ of units) queue.add(client, client);
    for (const cost of units) queue.next()?.charge(cost);
    const standings = all.map(({ usageMs }) => usageMs);
    expect(Math.max(...standings) - Math.min(...standings)).toBeLessThanOrEqual(Math.max(...units));
    expect(Math.min(...standings)).toBeGreaterThan(0);
  });

  it('a newcomer precedes all clients with more usage, however many entries they have', () => {
    const queue = new FairQueue<string>(ROOMY);
    for (let busyOnes = upTo(8); busyOnes > 0; busyOnes -= 1) {
      const busy = clientAt(upTo(1_000));
      for (let entries = upTo(500); entries > 0; entries -= 1) queue.add(busy, 'busy');
    }
    queue.add(new Client(), 'quiet');
    expect(queue.next()).toBe('quiet');
  });

  it('never exceeds its limits, and reports every removed entry', () => {
    const queue = new FairQueue<{ readonly of: number }>({ places: 12, placesOfClient: 7 });
    const all = Array.from({ length: 5 }, () => new Client());
    const held = new Set<{ readonly of: number }>();
    const placesOf = (of: number): number => [...held].filter((each) => each.of === of).length;
    let pushedOut = 0;
    for (let move = 0; move < 500; move += 1) {
      if (random() < 0.3) {
        const taken = queue.next();
        if (taken !== undefined) held.delete(taken);
      } else {
        const entry = { of: upTo(5) - 1 };
        const left = queue.add(all[entry.of], entry);
        if (left !== undefined) held.add(entry);
        for (const each of left ?? []) expect(held.delete(each)).toBe(true);
        pushedOut += left?.length ?? 0;
      }
      expect(held.size).toBeLessThanOrEqual(12);
      for (const at of all.keys()) expect(placesOf(at)).toBeLessThanOrEqual(7);
      expect(queue.size).toBe(held.size);
    }
    expect(pushedOut).toBeGreaterThan(0);
    for (let left = queue.next(); left !== undefined; left = queue.next()) expect(held.delete(left)).toBe(true);
    expect(held.size).toBe(0);
  });
});
