import { leastWidth } from './column-widths';

describe('the least width of a table', () => {
  it.each([
    [['120px'], 148],
    [['minmax(140px, 1.4fr)', '64px'], 244],
    [['2fr', 'minmax(80px, 1fr)'], 200],
    [[], 28],
  ])('%j takes %d', (tracks, width) => {
    expect(leastWidth(tracks)).toBe(width);
  });
});
