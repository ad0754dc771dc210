import { statusText } from './status-text';

const NOW = Date.parse('2026-01-02T00:00:00Z');

describe('the status of a host in words', () => {
  it.each([
    ['silent', '2026-01-01T23:56:00Z', 'down 4 min'],
    ['silent', '2026-01-01T21:00:00Z', 'down 3 h'],
    ['silent', '2025-12-30T00:00:00Z', 'down 3 d'],
    ['silent', '2026-01-01T23:59:50Z', 'down 10 s'],
    ['silent', null, 'down (no report)'],
    ['down', '2026-01-01T21:00:00Z', 'forced down'],
    ['up', '2026-01-01T23:59:50Z', 'up'],
  ] as const)('%s, last seen %s', (status, lastSeen, text) => {
    expect(statusText(status, lastSeen, NOW)).toBe(text);
  });
});
