import { seededRandom } from '../domain/random';
import { IdMap } from './id-map';

it('names the ids whose values are others than before, whatever the sizes', () => {
  const random = seededRandom(5);
  for (const range of [10, 40, 2_000, 50_000]) {
    let before = new IdMap<object>();
    for (let round = 0; round < 20; round += 1) {
      const edit = before.edit();
      const changed = new Set<number>();
      for (let count = Math.floor(random() * 30); count > 0; count -= 1) {
        const id = Math.floor(random() * range * (round + 1));
        const isGone = random() < 0.3;
        if (isGone) edit.delete(id);
        else edit.set(id, {});
        if (isGone && before.get(id) === undefined) changed.delete(id);
        else changed.add(id);
      }
      const after = edit.done();
      const expected = [...changed].sort((one, other) => one - other);
      expect([...after.changedSince(before)]).toEqual(expected);
      expect([...before.changedSince(after)]).toEqual(expected);
      before = after;
    }
  }
});
