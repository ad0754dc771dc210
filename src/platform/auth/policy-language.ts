// The policy language of OpenStack services: `role:x`, `rule:x`,
// `project_id:%(project_id)s`, `and`, `or`, `not`, parentheses, `@` (always) and `!` (never). Pure parser and evaluator.
// `not` binds tighter than `and`, `and` tighter than `or`; an empty check always holds.

import { suggestionOf } from '../values/nearest-name';
import type { Principal } from './principal';

/** Attributes of the target, by their names in `%(name)s`. */
export type PolicyTarget = Readonly<Record<string, string | null | undefined>>;

/** The right side of a colon: a text, or an attribute of the target. */
type Operand = { readonly literal: string } | { readonly fromTarget: string };

export type PolicyCheck =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'role'; readonly role: Operand }
  | { readonly kind: 'credential'; readonly credential: string; readonly value: Operand }
  | { readonly kind: 'literal'; readonly literal: string; readonly value: Operand }
  | { readonly kind: 'not'; readonly check: PolicyCheck }
  | { readonly kind: 'and' | 'or'; readonly checks: readonly PolicyCheck[] };

type ParsedCheck =
  | { readonly ok: true; readonly check: PolicyCheck }
  | { readonly ok: false; readonly problem: string };

class CheckSyntaxError extends Error {}

/** Parentheses count only at the ends of a word, because `%(name)s` contains its own. */
const tokenize = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .flatMap((word) => {
      const opening = /^\(*/.exec(word)?.[0].length ?? 0;
      const rest = word.slice(opening);
      const closing = /\)*$/.exec(rest)?.[0].length ?? 0;
      const core = rest.slice(0, rest.length - closing);
      return [...'('.repeat(opening), ...(core === '' ? [] : [core]), ...')'.repeat(closing)];
    });

const QUOTED = /^(?:'([^']*)'|"([^"]*)")$/;

const unquote = (text: string): string => {
  const quoted = QUOTED.exec(text);
  return quoted?.[1] ?? quoted?.[2] ?? text;
};

const parseOperand = (text: string): Operand => {
  const name = /^%\(([^)]+)\)s$/.exec(text)?.[1];
  if (name !== undefined) return { fromTarget: name };
  if (text.includes('%(')) throw new CheckSyntaxError(`"${text}" must be a text or %(name)s as a whole`);
  return { literal: unquote(text) };
};

const parseAtom = (word: string): PolicyCheck => {
  if (word === '@') return { kind: 'always' };
  if (word === '!') return { kind: 'never' };
  const colon = word.indexOf(':');
  if (colon < 0) throw new CheckSyntaxError(`"${word}" is not a check; write rule:${word} or role:${word}`);
  if (colon === 0 || colon === word.length - 1)
    throw new CheckSyntaxError(`"${word}" is not a check, such as role:admin`);
  const kind = word.slice(0, colon);
  const value = word.slice(colon + 1);
  if (kind === 'rule') return { kind: 'rule', name: value };
  if (kind === 'role') return { kind: 'role', role: parseOperand(value) };
  if (kind === 'http' || kind === 'https') throw new CheckSyntaxError('checks by a remote service are not supported');
  if (QUOTED.test(kind)) return { kind: 'literal', literal: unquote(kind), value: parseOperand(value) };
  return { kind: 'credential', credential: kind, value: parseOperand(value) };
};

const KEYWORDS = new Set(['and', 'or', 'not']);

/** Recursive-descent parser with one method per precedence level. */
class CheckParser {
  private position = 0;

  constructor(private readonly words: readonly string[]) {}

  parse(): PolicyCheck {
    if (this.words.length === 0) return { kind: 'always' };
    const check = this.any();
    if (this.position < this.words.length) {
      throw new CheckSyntaxError(`"and" or "or" is missing before "${this.words[this.position]}"`);
    }
    return check;
  }

  private any(): PolicyCheck {
    return this.joined('or', () => this.joined('and', () => this.single()));
  }

  private joined(keyword: 'and' | 'or', operand: () => PolicyCheck): PolicyCheck {
    const first = operand();
    const checks = [first];
    while (this.words[this.position]?.toLowerCase() === keyword) {
      this.position += 1;
      checks.push(operand());
    }
    return checks.length === 1 ? first : { kind: keyword, checks };
  }

  private single(): PolicyCheck {
    const word = this.words[this.position];
    if (word === undefined) throw new CheckSyntaxError('it ends where a check is expected');
    this.position += 1;
    if (word === '(') {
      const check = this.any();
      if (this.words[this.position] !== ')') throw new CheckSyntaxError('a ")" is missing');
      this.position += 1;
      return check;
    }
    if (word.toLowerCase() === 'not') return { kind: 'not', check: this.single() };
    if (word === ')' || KEYWORDS.has(word.toLowerCase())) {
      throw new CheckSyntaxError(`expected a check instead of "${word}"`);
    }
    return parseAtom(word);
  }
}

/** Parses one check; never throws. */
export const parseCheck = (text: string): ParsedCheck => {
  try {
    return { ok: true, check: new CheckParser(tokenize(text)).parse() };
  } catch (error) {
    if (error instanceof CheckSyntaxError) return { ok: false, problem: `${error.message}, in: ${text}` };
    throw error;
  }
};

const referencesOf = (check: PolicyCheck): readonly string[] => {
  switch (check.kind) {
    case 'rule':
      return [check.name];
    case 'not':
      return referencesOf(check.check);
    case 'and':
    case 'or':
      return check.checks.flatMap(referencesOf);
    default:
      return [];
  }
};

/** Rules that refer to a missing rule or to themselves, each with the rest of a sentence. */
export const checkReferences = (
  rules: ReadonlyMap<string, PolicyCheck>,
): readonly { readonly rule: string; readonly problem: string }[] => {
  const problems: { rule: string; problem: string }[] = [];
  const checked = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (checked.has(name)) return;
    if (path.includes(name)) {
      problems.push({
        rule: name,
        problem: `refers to itself: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`,
      });
      checked.add(name);
      return;
    }
    const check = rules.get(name);
    if (check === undefined) {
      const suggestion = suggestionOf(name, rules.keys(), (near) => `rule:${near}`);
      problems.push({
        rule: path.at(-1) ?? '',
        problem: `refers to rule "${name}", which does not exist${suggestion}`,
      });
      return;
    }
    for (const reference of referencesOf(check)) visit(reference, [...path, name]);
    checked.add(name);
  };
  for (const name of rules.keys()) visit(name, []);
  return problems;
};

const CREDENTIALS = new Map<string, (principal: Principal) => string | null | undefined>([
  ['user_id', ({ userId }) => userId],
  ['user', ({ userId }) => userId],
  ['project_id', ({ projectId }) => projectId],
  ['tenant_id', ({ projectId }) => projectId],
  ['tenant', ({ projectId }) => projectId],
  ['system_scope', ({ systemScope }) => systemScope],
  ['domain_id', ({ domainId }) => domainId],
  ['user_domain_id', ({ identity }) => identity?.userDomain.id],
  ['project_domain_id', ({ identity }) => identity?.projectDomain.id],
]);

const resolve = (operand: Operand, target: PolicyTarget): string | null =>
  'literal' in operand ? operand.literal : (target[operand.fromTarget] ?? null);

/** Whether the check holds. A missing attribute of target or caller equals no value. */
export const evaluateCheck = (
  check: PolicyCheck,
  rules: ReadonlyMap<string, PolicyCheck>,
  principal: Principal,
  target: PolicyTarget,
): boolean => {
  const holds = (inner: PolicyCheck): boolean => evaluateCheck(inner, rules, principal, target);
  switch (check.kind) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'rule': {
      const named = rules.get(check.name);
      return named !== undefined && holds(named);
    }
    case 'role': {
      const requiredRole = resolve(check.role, target)?.toLowerCase();
      return principal.roles.some((role) => role.toLowerCase() === requiredRole);
    }
    case 'credential': {
      const owned = CREDENTIALS.get(check.credential)?.(principal) ?? null;
      return owned !== null && owned === resolve(check.value, target);
    }
    case 'literal':
      return check.literal === resolve(check.value, target);
    case 'not':
      return !holds(check.check);
    case 'and':
      return check.checks.every(holds);
    case 'or':
      return check.checks.some(holds);
  }
};
