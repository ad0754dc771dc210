// What a rule of the policy table consists of.

type ScopeType = 'project' | 'system';

/** A named check that rules refer to; files may replace it like any rule. */
export interface HelperRule {
  readonly name: string;
  readonly check: string;
  /** Without `enforce_new_defaults`, an administrator passes it too. */
  readonly admitsAdminBefore: boolean;
  readonly description: string;
}

export interface PolicyRule {
  readonly name: string;
  readonly check: string;
  readonly scopeTypes: readonly ScopeType[];
  /** `METHOD path`, outside of any prefix. */
  readonly operations: readonly string[];
}
