// The part of the policy table that guards reports: what operators look at, none of which changes anything.

import type { PolicyRule } from './policy-rule';

const reading = <const N extends string>(
  name: N,
  operations: readonly string[],
): PolicyRule & { readonly name: N } => ({
  name,
  check: 'rule:admin_or_service_api',
  scopeTypes: ['project'],
  operations,
});

export const REPORTS_POLICY_RULES = [
  reading('berth:reports:capacity', ['GET /reports/capacity']),
  reading('berth:reports:hosts', ['GET /reports/hosts', 'GET /reports/hosts/{uuid}', 'GET /reports/map']),
  reading('berth:reports:flavors', ['GET /reports/flavors']),
  reading('berth:reports:changes', ['GET /reports/changes']),
  reading('berth:reports:advice', ['GET /reports/advice']),
  reading('berth:reports:refusals', ['GET /reports/refusals']),
] as const;
