import { BoundedMap } from './bounded-map';

/** Reference model: when the map is full, the least recently used key is evicted. */
class Model {
  private readonly keys: number[] = [];
  private readonly values = new Map<number, number>();

  get(key: number): number | undefined {
    if (this.values.has(key)) this.use(key);
    return this.values.get(key);
  }

  set(key: number, value: number): void {
    this.use(key);
    this.values.set(key, value);
    if (this.keys.length > 5) this.values.delete(this.keys.shift() ?? -1);
  }

  delete(key: number): void {
    this.keys.splice(0, this.keys.length, ...this.keys.filter((each) => each !== key));
    this.values.delete(key);
  }

  private use(key: number): void {
    this.keys.splice(0, this.keys.length, ...this.keys.filter((each) => each !== key), key);
  }
}

it('forgets what was used longest ago, whatever was read, set and deleted before', () => {
  const [model, map] = [new Model(), new BoundedMap<number, number>(5)];
  let seed = 1;
  const dice = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let step = 0; step < 5_000; step += 1) {
    const [deed, key] = [dice(10), dice(12)];
    if (deed < 5) {
      map.set(key, step);
      model.set(key, step);
    } else if (deed < 9) expect(map.get(key)).toBe(model.get(key));
    else {
      map.delete(key);
      model.delete(key);
    }
  }
});

it('of no capacity keeps nothing', () => {
  const map = new BoundedMap<string, number>(0);
  map.set('a', 1);
  map.set('b', 2);
  expect([map.get('a'), map.get('b')]).toEqual([undefined, undefined]);
});
