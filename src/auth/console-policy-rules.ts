// The part of the policy table that guards what the console is told of its caller. What it shows is guarded where it
// comes from.

import type { PolicyRule } from './policy-rule';

export const CONSOLE_POLICY_RULES = [
  {
    name: 'berth:console:session',
    check: '@',
    scopeTypes: ['project', 'system'],
    operations: ['GET /console/session'],
  },
] as const satisfies readonly PolicyRule[];
