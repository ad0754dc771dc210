// Judges whether a caller may do something. Pure: the rules, the overrides and the two switches come in, an answer comes
// out. Reading policy files is policy-file.ts; turning a refusal into 403 is http's.

import { checkReferences, evaluateCheck, parseCheck } from './policy-language';
import type { PolicyCheck, PolicyTarget } from './policy-language';
import { HELPER_RULES, POLICY_RULES } from './policy-rules';
import type { PolicyRule, PolicyRuleName } from './policy-rules';
import type { Principal } from './principal';

/** What is judged about: whose things the request concerns. Absent: the caller's own project and user. */
export type { PolicyTarget } from './policy-language';

type PolicyAnswer = { readonly allowed: true } | { readonly allowed: false; readonly message: string };

export interface PolicyEnforcerSettings {
  readonly enforceNewDefaults: boolean;
  readonly enforceScope: boolean;
  /** Checks by rule name, as a policy file states them; they replace defaults and may define rules of their own. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** The table; only tests give another. */
  readonly rules?: readonly PolicyRule[];
}

export interface PolicyEnforcer {
  /** A caller of the wrong scope is refused with just the rule's name, any other with a sentence. */
  check(rule: PolicyRuleName, principal: Principal, target?: PolicyTarget): PolicyAnswer;
}

/** A policy that cannot be obeyed: every problem, one per line. Stops the boot. */
export class PolicyError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'PolicyError';
  }
}

const ALLOWED: PolicyAnswer = Object.freeze({ allowed: true });

/**
 * The default of a helper rule is widened to administrators while the new defaults are not enforced, unless a policy
 * file replaced it: what an operator wrote is obeyed as written.
 */
const defaultChecks = (settings: PolicyEnforcerSettings): ReadonlyMap<string, string> => {
  const widened = HELPER_RULES.map(({ name, check, admitsAdminBefore }): readonly [string, string] => [
    name,
    admitsAdminBefore && !settings.enforceNewDefaults ? `(${check}) or role:admin` : check,
  ]);
  const rules = (settings.rules ?? POLICY_RULES).map((rule): readonly [string, string] => [rule.name, rule.check]);
  return new Map([...widened, ...rules]);
};

/** The text of every check by its rule's name, as it is obeyed. */
export const checksInForce = (settings: PolicyEnforcerSettings): ReadonlyMap<string, string> =>
  new Map([...defaultChecks(settings), ...Object.entries(settings.overrides ?? {})]);

const parseAll = (checks: ReadonlyMap<string, string>): ReadonlyMap<string, PolicyCheck> => {
  const problems: string[] = [];
  const parsed = new Map<string, PolicyCheck>();
  for (const [name, text] of checks) {
    const result = parseCheck(text);
    if (result.ok) parsed.set(name, result.check);
    else problems.push(`Policy rule "${name}": ${result.problem}`);
  }
  if (problems.length === 0) problems.push(...checkReferences(parsed));
  if (problems.length > 0) throw new PolicyError(problems);
  return parsed;
};

const ownTarget = (principal: Principal): PolicyTarget => ({
  project_id: principal.projectId,
  user_id: principal.userId,
});

/** A token for nothing at all counts as one for a project, and has no roles. No rule is for a domain's. */
const isInScope = ({ systemScope, domainId = null }: Principal, { scopeTypes }: PolicyRule): boolean => {
  if (systemScope !== null) return scopeTypes.includes('system');
  return domainId === null && scopeTypes.includes('project');
};

/** Compiles the rules once; throws PolicyError naming every rule that does not parse or refers to nothing. */
export const createPolicyEnforcer = (settings: PolicyEnforcerSettings): PolicyEnforcer => {
  const checks = parseAll(checksInForce(settings));
  const table = new Map((settings.rules ?? POLICY_RULES).map((rule) => [rule.name, rule]));
  return Object.freeze({
    check(name: PolicyRuleName, principal: Principal, target?: PolicyTarget): PolicyAnswer {
      const rule = table.get(name);
      const check = checks.get(name);
      if (rule === undefined || check === undefined) throw new Error(`No policy rule is called ${name}`);
      if (settings.enforceScope && !isInScope(principal, rule)) return { allowed: false, message: name };
      return evaluateCheck(check, checks, principal, target ?? ownTarget(principal))
        ? ALLOWED
        : { allowed: false, message: `Policy does not allow ${name} to be performed.` };
    },
  });
};
