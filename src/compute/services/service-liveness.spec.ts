import { serviceStateOf } from './service-liveness';

const NOW = 1_000_000;

it.each<[string, number | null, number, boolean, string]>([
  ['seen just now', NOW, 0, false, 'up'],
  ['seen as long ago as is allowed', NOW - 60_000, 0, false, 'up'],
  ['seen a millisecond longer ago', NOW - 60_001, NOW, false, 'down'],
  ['seen in the future, as far as is allowed', NOW + 60_000, 0, false, 'up'],
  ['seen further in the future', NOW + 60_001, 0, false, 'down'],
  ['never seen, created lately', null, NOW - 60_000, false, 'up'],
  ['never seen, created longer ago', null, NOW - 60_001, false, 'down'],
  ['forced down although it reports', NOW, NOW, true, 'down'],
])('a service %s', (_, lastSeenUpMs, createdAtMs, forcedDown, state) => {
  expect(serviceStateOf({ lastSeenUpMs, createdAtMs, forcedDown }, NOW, 60)).toBe(state);
});
