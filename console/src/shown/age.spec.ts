import { ageText } from './age';

it.each([
  [-2, '0 s'],
  [59.9, '59 s'],
  [1_108.042, '18 min'],
  [3_600, '1 h'],
  [200_000, '2 d'],
])('%d seconds are %s', (seconds, text) => {
  expect(ageText(seconds)).toBe(text);
});
