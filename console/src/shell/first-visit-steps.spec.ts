import { isSeen, markSeen, STEPS } from './first-visit-steps';

describe('the first visit', () => {
  it('has five steps on five pages', () => {
    expect(new Set(STEPS.map(({ path }) => path)).size).toBe(5);
  });

  it('is seen once it was left', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    };
    expect(isSeen(storage)).toBe(false);
    markSeen(storage);
    expect(isSeen(storage)).toBe(true);
  });

  it('is not offered by a browser that refuses storage', () => {
    const refused = () => {
      throw new Error('refused');
    };
    expect(isSeen({ getItem: refused })).toBe(true);
    expect(() => markSeen({ setItem: refused })).not.toThrow();
  });
});
