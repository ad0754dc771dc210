import { isFirstSight } from './seen-builds';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  };
}

describe('the builds that a tab has seen', () => {
  it('reports every build once, however often old and new processes answer in turn', () => {
    const kept = storage();
    const answers = ['new', 'old', 'new', 'newer', 'new', 'newer'];
    const reloads = answers.filter((build) => isFirstSight(build, 'old', kept));
    expect(reloads).toEqual(['new', 'newer']);
  });

  it('does not count the build of the page as new', () => {
    expect(isFirstSight('old', 'old', storage())).toBe(false);
  });
});
