import { CHANGE_STREAM_LIMITS } from '../../platform/config/limits/reports';
import { seededRandom } from '../../platform/values/random';
import { positionOf, positionText } from './log-position';

const vectorOf = (...pairs: readonly (readonly [number, number])[]): ReadonlyMap<number, number> => new Map(pairs);

describe('a position in the change log', () => {
  it.each([
    ['nothing seen yet', 0, vectorOf()],
    ['one lane', 1_700_000_000, vectorOf([1, 0])],
    ['lanes in any order', 1_700_000_000, vectorOf([700, 128], [3, 127], [4, 16_384])],
    ['the largest numbers', Number.MAX_SAFE_INTEGER, vectorOf([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])],
  ])('comes back from its text: %s', (_, readAtSeconds, vector) => {
    const read = positionOf(positionText({ readAtSeconds, vector }));
    expect(read?.readAtSeconds).toBe(readAtSeconds);
    expect(new Map(read?.vector)).toEqual(new Map(vector));
  });

  it('is the same text whatever the order of the lanes', () => {
    const one = positionText({ readAtSeconds: 5, vector: vectorOf([1, 2], [9, 4]) });
    expect(positionText({ readAtSeconds: 5, vector: vectorOf([9, 4], [1, 2]) })).toBe(one);
  });

  it('is short: a hundred lanes of an hour take some hundred characters', () => {
    const lanes = Array.from({ length: 100 }, (_, lane): [number, number] => [5_000 + lane * 3, 40_000]);
    expect(positionText({ readAtSeconds: 1_700_000_000, vector: vectorOf(...lanes) }).length).toBeLessThan(600);
  });

  it('leaves out the lanes with the fewest writes if there are too many, and stays within its limit', () => {
    const count = CHANGE_STREAM_LIMITS.positionLanes + 10;
    const lanes = Array.from({ length: count }, (_, lane): [number, number] => [
      lane * 1_000_000 + 1,
      lane * 1_000_000,
    ]);
    const text = positionText({ readAtSeconds: 1_700_000_000, vector: vectorOf(...lanes) });
    expect(text.length).toBeLessThanOrEqual(CHANGE_STREAM_LIMITS.positionCharacters);
    const read = positionOf(text)?.vector;
    expect(read?.size).toBe(CHANGE_STREAM_LIMITS.positionLanes);
    expect([read?.has(1), read?.has((count - 1) * 1_000_000 + 1)]).toEqual([false, true]);
  });

  it.each([
    ['nothing', ''],
    ['another alphabet', 'AQ+/'],
    ['padding', `${positionText({ readAtSeconds: 5, vector: vectorOf() })}=`],
    ['a number that is cut', 'Ab8'],
    ['another format', 'AgUA'],
    ['a lane without a number', Buffer.from([1, 5, 7]).toString('base64url')],
    ['lane zero', Buffer.from([1, 5, 0, 3]).toString('base64url')],
    ['a number written longer than it is', Buffer.from([1, 0x85, 0]).toString('base64url')],
    ['a number that is none', Buffer.from([1, ...Array<number>(9).fill(0xff), 1]).toString('base64url')],
    ['more than may be', 'A'.repeat(CHANGE_STREAM_LIMITS.positionCharacters + 1)],
  ])('is refused if it is not a position: %s', (_, text) => expect(positionOf(text)).toBeUndefined());

  it('is refused, or is another position, after one character is changed', () => {
    const random = seededRandom(7);
    const text = positionText({ readAtSeconds: 1_700_000_000, vector: vectorOf([3, 500], [90, 7], [91, 1]) });
    for (let round = 0; round < 500; round += 1) {
      const at = Math.floor(random() * text.length);
      const other = text.slice(0, at) + 'ABCxyz019-_'.charAt(Math.floor(random() * 11)) + text.slice(at + 1);
      const read = positionOf(other);
      if (read !== undefined) expect(positionText(read)).toBe(other);
    }
  });
});
