import { ChangedIds } from './changed-ids';
import { later, millisecondsOf, readFrom } from './stamps';

describe('stamps', () => {
  it('are UTC in whole seconds', () => {
    expect(millisecondsOf('2026-11-23 12:58:10')).toBe(Date.UTC(2026, 10, 23, 12, 58, 10));
    expect(millisecondsOf('2026-11-23 12:58:10.900000')).toBe(Date.UTC(2026, 10, 23, 12, 58, 10));
    expect([millisecondsOf(null), millisecondsOf('soon')]).toEqual([null, null]);
  });

  it.each([
    [null, null, null],
    ['b', null, 'b'],
    [null, 'b', 'b'],
    ['a', 'b', 'b'],
    ['c', 'b', 'c'],
  ])('of %s and %s the later one is %s', (one, other, expected) => {
    expect(later(one, other)).toBe(expected);
  });

  it.each<[string, string | null, string]>([
    ['the newest stamp minus the overlap', '2026-11-23 12:00:10', '2026-11-23 11:59:55'],
    ['at most the clock of the database, minus the overlap', '2026-11-23 14:00:00', '2026-11-23 12:59:45'],
    ['the first moment if nothing was read', null, '1970-01-01 00:00:00'],
  ])('reading starts at %s', (_name, newest, expected) => {
    expect(readFrom(newest, '2026-11-23 13:00:00', 15_000)).toBe(expected);
  });
});

describe('changed ids', () => {
  it('are given once, in the order of their last change', () => {
    const ids = new ChangedIds();
    for (const [at, id] of [7, 8, 7, 9].entries()) ids.add(at + 1, id);
    expect([0, 2, 3, 4].map((version) => ids.since(version))).toEqual([[8, 7, 9], [7, 9], [9], []]);
  });

  it('stay complete after many changes of few ids', () => {
    const ids = new ChangedIds();
    for (let version = 1; version <= 10_000; version += 1) ids.add(version, version % 3);
    expect(ids.since(0)).toEqual([2, 0, 1]);
    expect(ids.since(9_999)).toEqual([1]);
  });
});
