// The part of the policy table that guards the facade: registries in the words of OpenStack's clients.

import type { PolicyRule } from './policy-rule';

type NamedRule<N extends string> = PolicyRule & { readonly name: `berth:facade:${N}` };

const rule =
  (check: string) =>
  <const N extends string>(name: N, operations: readonly string[]): NamedRule<N> => ({
    name: `berth:facade:${name}`,
    check,
    scopeTypes: ['project'],
    operations,
  });

/** What belongs to projects: whose things a caller sees is judged thing by thing. */
const byProject = rule('rule:admin_or_project_api');

const IMAGE = '/image/v2/images/{image_id}';

export const FACADE_POLICY_RULES = [
  byProject('image:images:list', ['GET /image/v2/images']),
  byProject('image:images:create', ['POST /image/v2/images']),
  byProject('image:images:show', [`GET ${IMAGE}`]),
  byProject('image:images:update', [`PATCH ${IMAGE}`]),
  byProject('image:images:delete', [`DELETE ${IMAGE}`]),
] as const;
