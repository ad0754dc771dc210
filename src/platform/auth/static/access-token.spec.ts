import { digestOf, isAccessToken, newAccessToken } from './access-token';

it('a new token is one, and no two are alike', () => {
  const tokens = Array.from({ length: 100 }, newAccessToken);
  expect(tokens.every(isAccessToken)).toBe(true);
  expect(new Set(tokens).size).toBe(100);
  expect(tokens[0]).toMatch(/^berth_[\w-]{51}$/);
});

it('any single character that is changed is noticed', () => {
  const token = newAccessToken();
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A';
    expect([at, isAccessToken(token.slice(0, at) + other + token.slice(at + 1))]).toEqual([at, false]);
  }
});

it.each(['', 'admin', 'berth_', `${newAccessToken()} `, newAccessToken().slice(1)])('%j is no token', (text) =>
  expect(isAccessToken(text)).toBe(false),
);

it('is kept as a digest that does not show it', () => {
  const token = newAccessToken();
  expect(digestOf(token)).toMatch(/^[0-9a-f]{64}$/);
  expect(token).not.toContain(digestOf(token).slice(0, 8));
});
