import { filterTable } from '../pipeline/rule-table.fixture';
import { retryFilter } from './retry.filter';

const retry = (...hosts: readonly (readonly [string, string])[]) => ({ retry: { numAttempts: 2, hosts } });
const rejected = (host: string, ...tried: readonly string[]) => ({
  code: 'tried_before',
  params: { host, attempt: 2, tried },
});
const HOST = { host: 'h', node: 'n' };

describe('RetryFilter', () => {
  filterTable(retryFilter, {
    reproduces: {
      tried_before: {
        rejects: ({ host, tried }) => (tried as readonly string[]).includes(String(host)),
        unless: { host: 'h/n', attempt: 2, tried: ['h/m'] },
      },
    },
    rows: [
      {
        rule: 'without an attempt before every host passes',
        host: HOST,
        spec: { retry: null },
        verdict: 'pass',
        flip: { spec: retry(['h', 'n']), verdict: rejected('h/n', 'h/n') },
      },
      {
        rule: 'host and node must both be those tried before',
        host: HOST,
        spec: retry(['h', 'm'], ['g', 'n']),
        verdict: 'pass',
        flip: { spec: retry(['h', 'm'], ['g', 'n'], ['h', 'n']), verdict: rejected('h/n', 'h/n', 'h/m', 'g/n') },
      },
      {
        rule: 'names are compared exactly',
        host: HOST,
        spec: retry(['H', 'n']),
        verdict: 'pass',
        flip: { spec: retry(['h', 'n']), verdict: rejected('h/n', 'h/n') },
      },
    ],
  });

  it('runs for every instance of a batch', () => expect(retryFilter.once).toBe(false));
});
