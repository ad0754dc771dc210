// Evaluates policies. Pure: takes the rules, the overrides and two switches, returns a decision. policy-file.ts parses
// policy files; src/platform/http turns a refusal into 403.

import { StartRefused } from '../values/start-refused';
import type { PolicyCheck, PolicyTarget } from './policy-language';
import { checkReferences, evaluateCheck, parseCheck } from './policy-language';
import type { PolicyRule, PolicyRuleName } from './policy-rules';
import { HELPER_RULES, POLICY_RULES } from './policy-rules';
import type { Principal } from './principal';

/** The target of a check: the owner of the objects in question. Default: the caller's own project and user. */
export type { PolicyTarget } from './policy-language';

type PolicyAnswer = { readonly allowed: true } | { readonly allowed: false; readonly message: string };

export interface PolicyEnforcerSettings {
  readonly enforceNewDefaults: boolean;
  readonly enforceScope: boolean;
  /** Checks by rule name from policy files; they replace defaults and can define new rules. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** File and line of each override, for messages. */
  readonly origins?: Readonly<Record<string, string>>;
  /** The table of rules; only tests pass another. */
  readonly rules?: readonly PolicyRule[];
}

export interface PolicyEnforcer {
  /** A caller with the wrong scope is refused with only the rule's name, any other with a sentence. */
  check(rule: PolicyRuleName, principal: Principal, target?: PolicyTarget): PolicyAnswer;
}

/** An invalid policy, with every problem on its own line. Stops the start. */
export class PolicyError extends StartRefused {
  override readonly name = 'PolicyError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

const ALLOWED: PolicyAnswer = Object.freeze({ allowed: true });

/**
 * Unless the new defaults are enforced, the default of a helper rule also admits administrators. A check from a policy
 * file is used as written.
 */
const defaultChecks = (settings: PolicyEnforcerSettings): ReadonlyMap<string, string> => {
  const widened = HELPER_RULES.map(({ name, check, admitsAdminBefore }): readonly [string, string] => [
    name,
    admitsAdminBefore && !settings.enforceNewDefaults ? `(${check}) or role:admin` : check,
  ]);
  const rules = (settings.rules ?? POLICY_RULES).map((rule): readonly [string, string] => [rule.name, rule.check]);
  return new Map([...widened, ...rules]);
};

/** The effective text of every check by its rule's name. */
export const checksInForce = (settings: PolicyEnforcerSettings): ReadonlyMap<string, string> =>
  new Map([...defaultChecks(settings), ...Object.entries(settings.overrides ?? {})]);

const parseAll = (
  checks: ReadonlyMap<string, string>,
  origins: Readonly<Record<string, string>>,
): ReadonlyMap<string, PolicyCheck> => {
  const problems: string[] = [];
  const report = (rule: string, problem: string): void => {
    const origin = origins[rule];
    problems.push(origin === undefined ? `policy rule "${rule}" ${problem}` : `${origin}: "${rule}" ${problem}`);
  };
  const parsed = new Map<string, PolicyCheck>();
  for (const [name, text] of checks) {
    const result = parseCheck(text);
    if (result.ok) parsed.set(name, result.check);
    else report(name, `cannot be read: ${result.problem}`);
  }
  if (problems.length === 0) for (const { rule, problem } of checkReferences(parsed)) report(rule, problem);
  if (problems.length > 0) throw new PolicyError(problems);
  return parsed;
};

const ownTarget = (principal: Principal): PolicyTarget => ({
  project_id: principal.projectId,
  user_id: principal.userId,
});

/** An unscoped token counts as project-scoped and has no roles. No rule admits a domain scope. */
const isInScope = ({ systemScope, domainId = null }: Principal, { scopeTypes }: PolicyRule): boolean => {
  if (systemScope !== null) return scopeTypes.includes('system');
  return domainId === null && scopeTypes.includes('project');
};

/** Compiles the rules once; throws PolicyError with every rule that does not parse or has a missing reference. */
export const createPolicyEnforcer = (settings: PolicyEnforcerSettings): PolicyEnforcer => {
  const texts = checksInForce(settings);
  const checks = parseAll(texts, settings.origins ?? {});
  const table = new Map((settings.rules ?? POLICY_RULES).map((rule) => [rule.name, rule]));
  return Object.freeze({
    check(name: PolicyRuleName, principal: Principal, target?: PolicyTarget): PolicyAnswer {
      const rule = table.get(name);
      const check = checks.get(name);
      if (rule === undefined || check === undefined) throw new Error(`No policy rule is called ${name}`);
      if (settings.enforceScope && !isInScope(principal, rule)) return { allowed: false, message: name };
      if (evaluateCheck(check, checks, principal, target ?? ownTarget(principal))) return ALLOWED;
      const text = texts.get(name) ?? '';
      const required = texts.get(text.replace(/^rule:/, '')) ?? text;
      return { allowed: false, message: `Policy does not allow ${name} to be performed. It requires ${required}.` };
    },
  });
};
