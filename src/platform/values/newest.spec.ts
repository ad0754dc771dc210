import { newestOf } from './newest';

it('is the newest of any number of changes', () => {
  const many = Array.from({ length: 300_000 }, (_, at) => ({ changedAt: (at * 7) % 300_001 }));
  expect(newestOf(many, 'now')).toBe(300_000);
});

it('is what the caller says where there is nothing', () => {
  expect(newestOf([], 'absent')).toBe('absent');
});
