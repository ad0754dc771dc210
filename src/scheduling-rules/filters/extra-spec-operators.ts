// The operators of extra specs: compares a requirement such as `>= 4` or `<or> v1 <or> v2` with a text of a host or
// aggregate. Shared by the filters that read extra specs.

import { REQUIREMENTS_KEPT } from '../pipeline/limits';
import { floatOf, isNanText } from '../pipeline/options';

/** `error`: the comparison is impossible; the host is rejected with that code. */
type Match =
  | { readonly kind: 'holds' }
  | { readonly kind: 'fails' }
  | { readonly kind: 'error'; readonly code: MatchErrorCode; readonly operator: string };

export type MatchErrorCode = 'not_a_number' | 'operator_without_operand';

type Compare<Operand> = (have: Operand, operand: Operand) => boolean;

/** As in nova, `=` means at least. There is no numeric `<` or `>`. */
const NUMERIC: ReadonlyMap<string, Compare<number>> = new Map([
  ['=', (have, operand) => have >= operand],
  ['==', (have, operand) => have === operand],
  ['!=', (have, operand) => have !== operand],
  ['>=', (have, operand) => have >= operand],
  ['<=', (have, operand) => have <= operand],
]);

const TEXTUAL: ReadonlyMap<string, Compare<string>> = new Map([
  ['s==', (have, operand) => have === operand],
  ['s!=', (have, operand) => have !== operand],
  ['s<', (have, operand) => have < operand],
  ['s<=', (have, operand) => have <= operand],
  ['s>', (have, operand) => have > operand],
  ['s>=', (have, operand) => have >= operand],
  ['<in>', (have, operand) => have.includes(operand)],
]);

const ALL_IN = '<all-in>';
const OR = '<or>';
const ANSWER = { true: { kind: 'holds' }, false: { kind: 'fails' } } as const;
const answer = (holds: boolean): Match => ANSWER[`${holds}`];

interface Requirement {
  /** Null: the whole text is the required value. */
  readonly operator: string | null;
  readonly operands: readonly string[];
}

/** Parsed requirements, cached up to a limit: one flavor is compared with every host. */
const PARSED = new Map<string, Requirement>();

function parse(requirement: string): Requirement {
  const known = PARSED.get(requirement);
  if (known !== undefined) return known;
  const [first = '', ...operands] = requirement.split(/\s+/).filter((word) => word !== '');
  const isOperator = NUMERIC.has(first) || TEXTUAL.has(first) || first === ALL_IN || first === OR;
  const parsed: Requirement = { operator: isOperator ? first : null, operands };
  if (PARSED.size >= REQUIREMENTS_KEPT) PARSED.clear();
  PARSED.set(requirement, parsed);
  return parsed;
}

/** Whether `have` meets the requirement. */
export function matchRequirement(have: string, requirement: string): Match {
  const { operator, operands } = parse(requirement);
  if (operator === null) return answer(have === requirement);
  const [operand] = operands;
  if (operand === undefined) return { kind: 'error', code: 'operator_without_operand', operator };
  if (operator === OR) return answer(alternativesOf(operands).includes(have));
  if (operator === ALL_IN) return answer(operands.every((part) => have.includes(part)));
  const compareTexts = TEXTUAL.get(operator);
  if (compareTexts !== undefined) return answer(compareTexts(have, operand));
  const [left, right] = [floatOf(have), floatOf(operand)];
  if (isNoNumber(left, have) || isNoNumber(right, operand)) return { kind: 'error', code: 'not_a_number', operator };
  return answer(NUMERIC.get(operator)?.(left, right) ?? false);
}

/** Every other word: the words between count as the keyword and are not checked. */
const alternativesOf = (words: readonly string[]): readonly string[] => words.filter((_, at) => at % 2 === 0);

/** The text `nan` is a number that compares with no value. */
const isNoNumber = (value: number, text: string): boolean => Number.isNaN(value) && !isNanText(text);

/** The error in a requirement, independent of the compared text, or null. For checks when a flavor is written. */
export function problemOfOperator(requirement: string): string | null {
  const { operator, operands } = parse(requirement);
  if (operator === null) return null;
  const [operand] = operands;
  if (operand === undefined) return `the operator ${operator} has no operand`;
  if (NUMERIC.has(operator) && isNoNumber(floatOf(operand), operand))
    return `the operator ${operator} needs a number, not ${operand}`;
  return null;
}

/** A warning about a requirement that probably has another meaning than intended, or null. */
export function suspicionOfOperator(requirement: string): string | null {
  const { operator, operands } = parse(requirement);
  if (operator === null) return literalSuspicion(requirement);
  if (operator === '=') return `= means at least; == means equal`;
  if (operator === OR && operands.some((word, at) => at % 2 === 1 && word !== OR)) {
    return 'words between the alternatives of <or> are not looked at; write <or> before each';
  }
  if (operator !== OR && operator !== ALL_IN && operands.length > 1) {
    return `only the first operand of ${operator} counts`;
  }
  return null;
}

function literalSuspicion(requirement: string): string | null {
  const [, symbol] = /^\s*(<in>|<or>|<all-in>|s?[<>]=?|s?[=!]=|=)/.exec(requirement) ?? [];
  if (symbol === undefined) return null;
  if (symbol === '<' || symbol === '>') return `there is no operator ${symbol}; the whole text is compared`;
  return `a blank is missing after ${symbol}; the whole text is compared`;
}
