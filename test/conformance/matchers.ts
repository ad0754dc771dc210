// Expected values of a step: a literal, or one of the tags below. A mismatch is a message.
import { isDeepStrictEqual } from 'node:util';
import type { CollectionTag, ScalarTag } from 'yaml';

type MatcherKind = 'absent' | 'present' | 'match' | 'has' | 'lacks' | 'set' | 'keys' | 'size' | 'not';

export class Matcher {
  constructor(
    readonly kind: MatcherKind,
    readonly operand: unknown,
  ) {}
}

/** A path without a value. */
export const NOTHING = Symbol('nothing');

const scalar = (kind: MatcherKind): ScalarTag => ({
  tag: `!${kind}`,
  resolve: (text) => new Matcher(kind, text),
});

const list = (kind: MatcherKind): CollectionTag => ({
  tag: `!${kind}`,
  collection: 'seq',
  resolve: (items) => new Matcher(kind, (items as { toJSON(): unknown }).toJSON()),
});

export const MATCHER_TAGS = [
  scalar('absent'),
  scalar('present'),
  scalar('match'),
  scalar('size'),
  scalar('not'),
  list('has'),
  list('lacks'),
  list('set'),
  list('keys'),
];

/** Values of a path: keys and positions separated by dots, `*` for all. `.` is the whole. */
export function valueAt(root: unknown, path: string): unknown {
  return path === '.' ? root : descend(root, path.split('.'));
}

function descend(value: unknown, [head, ...rest]: readonly string[]): unknown {
  if (head === undefined) return value;
  if (typeof value !== 'object' || value === null) return NOTHING;
  if (head === '*') {
    return Object.values(value)
      .map((item) => descend(item, rest))
      .filter((item) => item !== NOTHING);
  }
  if (!Object.hasOwn(value, head)) return NOTHING;
  return descend((value as Record<string, unknown>)[head], rest);
}

const show = (value: unknown): string => (value === NOTHING ? 'nothing' : JSON.stringify(value));
const sorted = (values: readonly unknown[]): readonly string[] => values.map((value) => JSON.stringify(value)).sort();

/** Why the value does not match; undefined if it does. */
export function mismatch(actual: unknown, expected: unknown): string | undefined {
  const says = (sentence: string): string => `expected ${sentence}, got ${show(actual)}`;
  if (!(expected instanceof Matcher)) {
    return isDeepStrictEqual(actual, expected) ? undefined : says(show(expected));
  }
  const { kind, operand } = expected;
  const items = Array.isArray(actual) ? (actual as unknown[]) : undefined;
  const wanted = Array.isArray(operand) ? (operand as unknown[]) : [];
  const contains = (item: unknown): boolean => items?.some((each) => isDeepStrictEqual(each, item)) === true;
  switch (kind) {
    case 'absent':
      return actual === NOTHING || actual === undefined ? undefined : says('nothing');
    case 'present':
      return actual === NOTHING || actual === undefined ? says('something') : undefined;
    case 'not':
      return String(actual) === String(operand) ? says(`anything but ${show(operand)}`) : undefined;
    case 'match':
      return new RegExp(String(operand), 's').test(String(actual))
        ? undefined
        : says(`a match of /${String(operand)}/`);
    case 'size': {
      const size = typeof actual === 'object' && actual !== null ? Object.keys(actual).length : -1;
      return size === Number(operand) ? undefined : says(`${String(operand)} entries`);
    }
    case 'has':
      return wanted.every(contains) ? undefined : says(`a list with ${show(operand)}`);
    case 'lacks':
      return items !== undefined && !wanted.some(contains) ? undefined : says(`a list without any of ${show(operand)}`);
    case 'set':
      return items !== undefined && isDeepStrictEqual(sorted(items), sorted(wanted))
        ? undefined
        : says(`in any order ${show(operand)}`);
    case 'keys': {
      const keys = typeof actual === 'object' && actual !== null ? Object.keys(actual) : [];
      return isDeepStrictEqual(sorted(keys), sorted(wanted)) ? undefined : says(`the keys ${show(operand)}`);
    }
  }
}
