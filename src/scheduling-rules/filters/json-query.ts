// The query language of the hint `query`: JSON lists such as `["and", [">=", "$free_ram_mb", 1024], …]`. Parsing is
// bounded and cached; evaluation is pure, so a verdict can be reproduced from the looked-up values.

import { QUERIES_KEPT, QUERY_DEPTH_MAX, QUERY_NODES_MAX, QUERY_TEXT_MAX } from '../pipeline/limits';

const QUERY_OPERATORS = ['=', '<', '>', '<=', '>=', 'in', 'not', 'or', 'and'] as const;
type Operator = (typeof QUERY_OPERATORS)[number];

export type QueryNode =
  | { readonly kind: 'call'; readonly operator: Operator; readonly args: readonly QueryNode[] }
  | { readonly kind: 'everything' }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'value'; readonly value: unknown };

type ParsedQuery =
  | { readonly query: QueryNode; readonly problem: null }
  | { readonly query: null; readonly problem: string };

/** `list`: `not` returns a list as in nova, and a non-empty list is true regardless of its content. */
export type Negation = 'plain' | 'list';

/** The values have no order: only two numbers or two texts can be compared. */
export class NotComparable extends Error {
  override readonly name = 'NotComparable';
}

const PARSED = new Map<string, ParsedQuery>();

/** The last queries are cached: parsing one query for 10 000 hosts takes 20 ms, cached 0.1 ms. */
export function parseQuery(text: string): ParsedQuery {
  const known = PARSED.get(text);
  if (known !== undefined) return known;
  const parsed = parse(text);
  if (PARSED.size >= QUERIES_KEPT) PARSED.clear();
  PARSED.set(text, parsed);
  return parsed;
}

/** The problem with a query, or null. For checks when a hint is read. */
export const problemOfQuery = (text: string): string | null => parseQuery(text).problem;

function parse(text: string): ParsedQuery {
  if (text.length > QUERY_TEXT_MAX) return refused(`the query is longer than ${QUERY_TEXT_MAX} characters`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refused('the query is not JSON');
  }
  if (!Array.isArray(json)) return refused('a query is a list: [operator, argument, …]');
  try {
    return { query: nodeOf(json, { left: QUERY_NODES_MAX }, 0), problem: null };
  } catch (error) {
    if (error instanceof QueryProblem) return refused(error.message);
    throw error;
  }
}

class QueryProblem extends Error {}

const refused = (problem: string): ParsedQuery => ({ query: null, problem });

function nodeOf(json: unknown, budget: { left: number }, depth: number): QueryNode {
  budget.left -= 1;
  if (budget.left < 0) throw new QueryProblem(`the query has more than ${QUERY_NODES_MAX} parts`);
  if (depth > QUERY_DEPTH_MAX) throw new QueryProblem(`the query is nested deeper than ${QUERY_DEPTH_MAX} lists`);
  if (Array.isArray(json)) return callOf(json, budget, depth);
  if (typeof json !== 'string') return { kind: 'value', value: json };
  if (json.startsWith('$')) return { kind: 'variable', name: json.slice(1) };
  return { kind: 'value', value: json === '' ? null : json };
}

function callOf([name, ...args]: readonly unknown[], budget: { left: number }, depth: number): QueryNode {
  if (name === undefined && args.length === 0) return { kind: 'everything' };
  const operator = QUERY_OPERATORS.find((known) => known === name);
  if (operator === undefined) throw new QueryProblem(`unknown operator ${JSON.stringify(name)}`);
  return { kind: 'call', operator, args: args.map((arg) => nodeOf(arg, budget, depth + 1)) };
}

/** The distinct variables of a query. */
export function variablesOf(query: QueryNode): readonly string[] {
  const names = new Set<string>();
  const task = (node: QueryNode): void => {
    if (node.kind === 'variable') names.add(node.name);
    if (node.kind === 'call') node.args.forEach(task);
  };
  task(query);
  return [...names];
}

/** Whether the query holds. A top-level list holds if any element does. Throws `NotComparable`. */
export function queryHolds(query: QueryNode, lookUp: (name: string) => unknown, negation: Negation): boolean {
  const result = evaluate(query, lookUp, negation);
  return Array.isArray(result) ? result.some(isTrue) : isTrue(result);
}

function evaluate(node: QueryNode, lookUp: (name: string) => unknown, negation: Negation): unknown {
  switch (node.kind) {
    case 'everything':
      return true;
    case 'value':
      return node.value;
    case 'variable':
      return lookUp(node.name) ?? null;
    case 'call': {
      const args = node.args.map((arg) => evaluate(arg, lookUp, negation)).filter((arg) => arg !== null);
      return call(node.operator, args, negation);
    }
  }
}

function call(operator: Operator, args: readonly unknown[], negation: Negation): unknown {
  const [first, ...others] = args;
  switch (operator) {
    case 'and':
      return args.every(isTrue);
    case 'or':
      return args.some(isTrue);
    case 'not':
      return negation === 'plain' && args.length === 1 ? !isTrue(first) : args.map((arg) => !isTrue(arg));
    case 'in':
      return others.some((other) => equal(first, other));
    case '=':
      return others.length > 0 && others.every((other) => equal(first, other));
    default:
      return others.length > 0 && others.every((other) => ordered(operator, first, other));
  }
}

/** Empty texts, lists and maps, 0, false and null are false. */
function isTrue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

/** Booleans count as 1 and 0, as in Python. */
const asNumber = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

function equal(one: unknown, other: unknown): boolean {
  const [left, right] = [asNumber(one), asNumber(other)];
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const entries = Object.entries(left);
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([key, value]) => Object.hasOwn(right, key) && equal(value, (right as Record<string, unknown>)[key]))
  );
}

function ordered(operator: '<' | '>' | '<=' | '>=', one: unknown, other: unknown): boolean {
  const [left, right] = [asNumber(one), asNumber(other)];
  if (typeof left === 'number' && typeof right === 'number') return compared(operator, left, right);
  if (typeof left === 'string' && typeof right === 'string') return compared(operator, left, right);
  throw new NotComparable(`${JSON.stringify(one)} ${operator} ${JSON.stringify(other)}`);
}

function compared<Value extends number | string>(operator: '<' | '>' | '<=' | '>=', one: Value, other: Value): boolean {
  switch (operator) {
    case '<':
      return one < other;
    case '>':
      return one > other;
    case '<=':
      return one <= other;
    case '>=':
      return one >= other;
  }
}
