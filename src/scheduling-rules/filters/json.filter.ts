// JsonFilter: a query in the hint `query` about attributes of the host. A query that cannot be parsed or compared
// rejects the host with its own code. `not` with one argument negates it. Nova's `not` returns a list, which is always
// true inside `and` and `or`; `nova_compat` restores that.

import type { HostState } from '../host-state/host-state';
import { defineFilter } from '../pipeline/define-filter';
import type { RequestSpec } from '../request-spec/request-spec';
import { attributeOf, keyOf } from './host-attributes';
import type { Negation, QueryNode } from './json-query';
import { NotComparable, parseQuery, queryHolds, variablesOf } from './json-query';
import { shownList, shownText } from './shown-params';

export const jsonFilter = defineFilter({
  name: 'JsonFilter',
  summary:
    'Rejects hosts that do not meet the query in the hint query. `not` of one argument negates it; with `nova_compat` it ' +
    'answers a list, which is true inside `and`, `or` and `not` whatever it holds.',
  rejections: {
    query_not_met: 'the query {query} does not hold; it found {found}',
    query_not_readable: 'the query {query} cannot be read: {problem}',
    query_not_comparable: 'the query {query} compares what has no order: {comparison}; it found {found}',
  },
  reads: ['scheduler_hints.query'],
  applies: (spec) => queryTexts(spec).length > 0,
  check: (host, spec, { env, pass, reject }) => {
    const [text = '', ...more] = queryTexts(spec);
    const { query, problem } = parseQuery(text);
    if (more.length > 0) return reject('query_not_readable', { query: text, problem: 'the hint is one JSON text' });
    if (query === null) return reject('query_not_readable', { query: text, problem });
    const negation: Negation = env.novaCompat ? 'list' : 'plain';
    try {
      if (queryHolds(query, (name) => valueOf(host, name), negation)) return pass;
      return reject('query_not_met', { query: text, negation, found: foundBy(query, host) });
    } catch (error) {
      if (!(error instanceof NotComparable)) throw error;
      const comparison = shownText(error.message);
      return reject('query_not_comparable', { query: text, negation, found: foundBy(query, host), comparison });
    }
  },
});

/** The hint's texts without empty ones and empty JSON values. */
function queryTexts({ schedulerHints }: RequestSpec): readonly string[] {
  return (schedulerHints['query'] ?? []).filter((text) => !ASKS_NOTHING.has(text.trim()));
}

const ASKS_NOTHING: ReadonlySet<string> = new Set(['', '[]', '{}', '""', 'null', 'false', '0']);

/** An attribute of the host state with keys below it; null if the path does not exist. */
function valueOf(host: HostState, name: string): unknown {
  const [attribute = '', ...keys] = name.split('.');
  return keys.reduce(keyOf, attributeOf(host, attribute));
}

/** `name=value` of every variable, values as JSON. */
function foundBy(query: QueryNode, host: HostState): readonly string[] {
  return shownList(variablesOf(query).map((name) => `${name}=${JSON.stringify(valueOf(host, name))}`));
}
