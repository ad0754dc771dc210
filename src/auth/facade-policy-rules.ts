// The part of the policy table that guards the facade: registries in the words of OpenStack's clients.

import type { PolicyRule } from './policy-rule';

type NamedRule<N extends string> = PolicyRule & { readonly name: `berth:facade:${N}` };

const rule =
  (check: string, scopeTypes: PolicyRule['scopeTypes'] = ['project']) =>
  <const N extends string>(name: N, operations: readonly string[]): NamedRule<N> => ({
    name: `berth:facade:${name}`,
    check,
    scopeTypes,
    operations,
  });

/** What belongs to projects: whose things a caller sees is judged thing by thing. */
const byProject = rule('rule:admin_or_service_or_project_api');
/** What whoever has a token may know: who it is for, where the services are, what names mean. */
const byAnybody = rule('@', ['project', 'system']);

const IDENTITY = '/identity/v3';
const IMAGE = '/image/v2/images/{image_id}';

export const FACADE_POLICY_RULES = [
  byAnybody('identity:token:show', [`GET ${IDENTITY}/auth/tokens`, `HEAD ${IDENTITY}/auth/tokens`]),
  byAnybody('identity:token:revoke', [`DELETE ${IDENTITY}/auth/tokens`]),
  byAnybody('identity:catalog:show', [`GET ${IDENTITY}/auth/catalog`]),
  byAnybody('identity:projects:list', [
    `GET ${IDENTITY}/projects`,
    `GET ${IDENTITY}/auth/projects`,
    `GET ${IDENTITY}/users/{user_id}/projects`,
  ]),
  byAnybody('identity:projects:show', [`GET ${IDENTITY}/projects/{project_id}`]),
  byAnybody('identity:users:list', [`GET ${IDENTITY}/users`]),
  byAnybody('identity:users:show', [`GET ${IDENTITY}/users/{user_id}`]),
  byAnybody('identity:domains:list', [`GET ${IDENTITY}/domains`]),
  byAnybody('identity:domains:show', [`GET ${IDENTITY}/domains/{domain_id}`]),
  byProject('image:images:list', ['GET /image/v2/images']),
  byProject('image:images:create', ['POST /image/v2/images']),
  byProject('image:images:show', [`GET ${IMAGE}`]),
  byProject('image:images:update', [`PATCH ${IMAGE}`, `PUT ${IMAGE}/tags/{tag}`, `DELETE ${IMAGE}/tags/{tag}`]),
  byProject('image:images:delete', [`DELETE ${IMAGE}`]),
  byProject('image:images:upload', [`PUT ${IMAGE}/file`]),
  byProject('image:images:download', [`GET ${IMAGE}/file`]),
  byProject('image:schemas:show', ['GET /image/v2/schemas/{name}']),
] as const;
