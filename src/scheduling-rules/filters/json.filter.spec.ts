import type { RejectionParams } from '../../placement/candidate-search';
import { filterTable } from '../pipeline/rule-table.fixture';
import type { Negation } from './json-query';
import { parseQuery, problemOfQuery, queryHolds } from './json-query';
import { jsonFilter } from './json.filter';

const hint = (query: unknown) => ({ schedulerHints: { query: [JSON.stringify(query)] } });
const text = (...texts: readonly string[]) => ({ schedulerHints: { query: texts } });
const notMet = (query: unknown, found: readonly string[], negation = 'plain') => ({
  code: 'query_not_met',
  params: { query: JSON.stringify(query), negation, found },
});
const notReadable = (query: string, problem: string) => ({ code: 'query_not_readable', params: { query, problem } });

/** Evaluates the query of a verdict with the verdict's values. */
function again({ query, negation, found }: RejectionParams): boolean | 'error' {
  const node = parseQuery(String(query)).query;
  if (node === null) return 'error';
  const values = new Map((found as readonly string[]).map((pair) => pair.split(/=(.*)/s) as [string, string]));
  try {
    return queryHolds(node, (name) => JSON.parse(values.get(name) ?? 'null') as unknown, String(negation) as Negation);
  } catch {
    return 'error';
  }
}

const RAM = ['>=', '$free_ram_mb', 1024];
const NOT = ['and', ['not', ['=', '$host', 'h']]];

describe('JsonFilter', () => {
  filterTable(jsonFilter, {
    reproduces: {
      query_not_met: {
        rejects: (params) => again(params) === false,
        unless: notMet(RAM, ['free_ram_mb=1024']).params,
      },
      query_not_readable: {
        rejects: ({ query, problem }) =>
          problemOfQuery(String(query)) !== null || problem === 'the hint is one JSON text',
        unless: { query: JSON.stringify(RAM), problem: '' },
      },
      query_not_comparable: {
        rejects: (params) => again(params) === 'error',
        unless: notMet(['<', '$free_ram_mb', 1], ['free_ram_mb=0']).params,
      },
    },
    rows: [
      {
        rule: 'without a query every host passes',
        host: { freeRamMb: 1023 },
        verdict: 'pass',
        flip: { spec: hint(RAM), verdict: notMet(RAM, ['free_ram_mb=1023']) },
      },
      {
        rule: 'an attribute is looked up by its name',
        host: { freeRamMb: 1024 },
        spec: hint(RAM),
        verdict: 'pass',
        flip: { host: { freeRamMb: 1023 }, verdict: notMet(RAM, ['free_ram_mb=1023']) },
      },
      {
        rule: 'keys below an attribute are looked up after dots',
        host: { stats: { uptime: 'long' } },
        spec: hint(['=', '$stats.uptime', 'long']),
        verdict: 'pass',
        flip: { host: { stats: {} }, verdict: notMet(['=', '$stats.uptime', 'long'], ['stats.uptime=null']) },
      },
      {
        rule: 'limits of earlier filters can be asked for',
        host: { limits: { vcpu: 24 } },
        spec: hint(['>', '$limits.vcpu', 23]),
        verdict: 'pass',
        flip: { host: { limits: { vcpu: 23 } }, verdict: notMet(['>', '$limits.vcpu', 23], ['limits.vcpu=23']) },
      },
      {
        rule: 'steps lead into maps only',
        host: { hostIp: '10.0.0.1' },
        spec: hint(['=', '$host_ip.length', 8]),
        verdict: notMet(['=', '$host_ip.length', 8], ['host_ip.length=null']),
        flip: { spec: hint(['=', '$host_ip', '10.0.0.1']), verdict: 'pass' },
      },
      {
        rule: 'an empty hint or an empty query passes every host',
        spec: text('', '[]'),
        verdict: 'pass',
        flip: { spec: text('', '["or"]'), verdict: notMet(['or'], []) },
      },
      {
        rule: 'not of one argument negates it; with nova_compat it is true inside another operator',
        host: { host: 'h' },
        spec: hint(NOT),
        verdict: notMet(NOT, ['host="h"']),
        flip: { env: { novaCompat: true }, verdict: 'pass' },
      },
      {
        rule: 'with nova_compat a double negation is lost',
        host: { host: 'h' },
        spec: hint(['not', NOT[1]]),
        verdict: 'pass',
        flip: { env: { novaCompat: true }, verdict: notMet(['not', NOT[1]], ['host="h"'], 'list') },
      },
      {
        rule: 'a query that is no JSON rejects with a code of its own',
        spec: text('["and"'),
        verdict: notReadable('["and"', 'the query is not JSON'),
        flip: { spec: text('["and"]'), verdict: 'pass' },
      },
      {
        rule: 'an unknown operator rejects with a code of its own',
        spec: text('["all"]'),
        verdict: notReadable('["all"]', 'unknown operator "all"'),
        flip: { spec: text('["and"]'), verdict: 'pass' },
      },
      {
        rule: 'the hint is one text',
        spec: text('["and"]', '["and"]'),
        verdict: notReadable('["and"]', 'the hint is one JSON text'),
        flip: { spec: text('["and"]'), verdict: 'pass' },
      },
      {
        rule: 'a number against a text is unequal, and has no order',
        host: { freeRamMb: 5 },
        spec: hint(['<', '$free_ram_mb', '6']),
        verdict: {
          code: 'query_not_comparable',
          params: {
            query: JSON.stringify(['<', '$free_ram_mb', '6']),
            negation: 'plain',
            found: ['free_ram_mb=5'],
            comparison: '5 < "6"',
          },
        },
        flip: { spec: hint(['<', '$free_ram_mb', 6]), verdict: 'pass' },
      },
    ],
  });

  it('runs for every instance of a batch', () => expect(jsonFilter.once).toBe(false));
});
