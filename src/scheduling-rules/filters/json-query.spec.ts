import { QUERY_DEPTH_MAX, QUERY_NODES_MAX, QUERY_TEXT_MAX } from '../pipeline/limits';
import type { Negation, QueryNode } from './json-query';
import { NotComparable, parseQuery, problemOfQuery, queryHolds, variablesOf } from './json-query';

const VALUES: Readonly<Record<string, unknown>> = { ram: 1024, host: 'h1', empty: '', list: ['a', 'b'], zero: 0 };
const parsed = (query: unknown): QueryNode => {
  const { query: node, problem } = parseQuery(JSON.stringify(query));
  if (node === null) throw new Error(problem);
  return node;
};
const holds = (query: unknown, negation: Negation = 'plain'): boolean =>
  queryHolds(parsed(query), (name) => VALUES[name] ?? null, negation);

describe('queries', () => {
  it.each([
    [[], true],
    [['=', '$ram', 1024], true],
    [['=', '$ram', 1023], false],
    [['=', '$ram', '1024'], false],
    [['=', 1, 1, 1], true],
    [['=', 1, 1, 2], false],
    [['=', 1], false],
    [['='], false],
    [['=', true, 1], true],
    [['=', '$list', '$list'], true],
    [['=', '$unknown', '$unknown'], false],
    [['=', '$host', 'h1'], true],
    [['<', '$ram', 1025], true],
    [['<', '$ram', 1024], false],
    [['<=', '$ram', 1024], true],
    [['<=', '$ram', 1023], false],
    [['>', '$ram', 1023], true],
    [['>', '$ram', 1024], false],
    [['>=', '$ram', 1024], true],
    [['>=', '$ram', 1025], false],
    [['>', '$ram', 1000, 1023], true],
    [['>', '$ram', 1000, 1024], false],
    [['<', 'a', 'b'], true],
    [['<', 'b', 'a'], false],
    [['in', '$host', 'h0', 'h1'], true],
    [['in', '$host', 'h0', 'h2'], false],
    [['in', '$host'], false],
    [['and', ['=', 1, 1], ['=', 2, 2]], true],
    [['and', ['=', 1, 1], ['=', 1, 2]], false],
    [['and'], true],
    [['or', ['=', 1, 2], ['=', 2, 2]], true],
    [['or', ['=', 1, 2], ['=', 1, 2]], false],
    [['or'], false],
    [['or', 0, '$zero', ''], false],
    [['or', 'text'], true],
    [['and', 0], false],
    [['or', []], true],
    // Null arguments are dropped: null in JSON, unknown variables, empty texts.
    [['and', null], true],
    [['=', null, 1, 1], true],
    [['=', '', 1, 1], true],
    [['=', '$unknown', 1], false],
    [['=', '$empty', '$empty'], true],
  ])('%j: %s', (query, answer) => {
    expect(holds(query)).toBe(answer);
    expect(holds(query, 'list')).toBe(answer);
  });

  it.each([
    [['not', ['=', 1, 1]], false, false],
    [['not', ['=', 1, 2]], true, true],
    // One true element of a top-level list suffices.
    [['not', ['=', 1, 1], ['=', 1, 2]], true, true],
    [['not', ['=', 1, 1], ['=', 1, 1]], false, false],
    [['not'], false, false],
    // Inside another operator, a list as in nova is true regardless of its content.
    [['and', ['not', ['=', 1, 1]]], false, true],
    [['or', ['not', ['=', 1, 1]]], false, true],
    [['not', ['not', ['=', 1, 1]]], true, false],
    [['and', ['not', ['=', 1, 1], ['=', 1, 1]]], true, true],
    [['and', ['not']], false, false],
  ])('%j: %s, and %s the way of nova', (query, plain, list) => {
    expect([holds(query), holds(query, 'list')]).toEqual([plain, list]);
  });

  it.each([
    [['<', '$ram', '5'], '1024 < "5"'],
    [['>=', 'a', 1], '"a" >= 1'],
    [['>', '$list', '$list'], '["a","b"] > ["a","b"]'],
  ])('%j has no order', (query, message) => {
    expect(() => holds(query)).toThrow(new NotComparable(message));
  });

  it('compares booleans as numbers', () => expect(holds(['<', false, true])).toBe(true));

  it('names its variables once', () => {
    expect(variablesOf(parsed(['and', ['=', '$a.b', '$c'], ['<', '$c', 1], '$']))).toEqual(['a.b', 'c', '']);
  });
});

describe('reading a query', () => {
  const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => ['and', inner], ['or']);

  it.each([
    ['["=", 1, 1]', null],
    ['[]', null],
    ['not json', 'the query is not JSON'],
    ['{"a": 1}', 'a query is a list: [operator, argument, …]'],
    ['"="', 'a query is a list: [operator, argument, …]'],
    ['["like", 1, 1]', 'unknown operator "like"'],
    ['["and", ["!=", 1, 1]]', 'unknown operator "!="'],
    ['[[]]', 'unknown operator []'],
    ['[null]', 'unknown operator null'],
    ['["toString"]', 'unknown operator "toString"'],
  ])('%s: %s', (text, problem) => expect(problemOfQuery(text)).toBe(problem));

  it('is bounded in depth, parts and length', () => {
    const problem = (query: unknown): string | null => problemOfQuery(JSON.stringify(query));
    expect(problem(nested(QUERY_DEPTH_MAX))).toBeNull();
    expect(problem(nested(QUERY_DEPTH_MAX + 1))).toBe(`the query is nested deeper than ${QUERY_DEPTH_MAX} lists`);
    const wide = (parts: number): unknown => ['and', ...Array.from({ length: parts - 1 }, () => 1)];
    expect(problem(wide(QUERY_NODES_MAX))).toBeNull();
    expect(problem(wide(QUERY_NODES_MAX + 1))).toBe(`the query has more than ${QUERY_NODES_MAX} parts`);
    const long = (length: number): string => `["=", "${'x'.repeat(length - 9)}"]`;
    expect([long(QUERY_TEXT_MAX).length, problemOfQuery(long(QUERY_TEXT_MAX))]).toEqual([QUERY_TEXT_MAX, null]);
    expect(problemOfQuery(long(QUERY_TEXT_MAX + 1))).toBe(`the query is longer than ${QUERY_TEXT_MAX} characters`);
  });
});
