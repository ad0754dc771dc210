// The part of the policy table that guards Berth's own surfaces: the scheduler's API and what operators look at.

import type { PolicyRule } from './policy-rule';

const guarded = <const N extends string>(
  name: N,
  operations: readonly string[],
): PolicyRule & { readonly name: N } => ({
  name,
  check: 'rule:admin_or_service_api',
  scopeTypes: ['project'],
  operations,
});

type RegistryAction = 'list' | 'show' | 'create' | 'update' | 'delete';

/** The five rules of a registry whose documents are read and written one by one. */
const registry = <const N extends string>(
  name: N,
  key: string,
): readonly (PolicyRule & { readonly name: `berth:scheduler:${N}:${RegistryAction}` })[] => [
  guarded(`berth:scheduler:${name}:list`, [`GET /scheduler/${name}`]),
  guarded(`berth:scheduler:${name}:show`, [`GET /scheduler/${name}/${key}`]),
  guarded(`berth:scheduler:${name}:create`, [`POST /scheduler/${name}`]),
  guarded(`berth:scheduler:${name}:update`, [`PUT /scheduler/${name}/${key}`, `PATCH /scheduler/${name}/${key}`]),
  guarded(`berth:scheduler:${name}:delete`, [`DELETE /scheduler/${name}/${key}`]),
];

export const SCHEDULER_POLICY_RULES = [
  guarded('berth:scheduler:show', ['GET /scheduler']),
  guarded('berth:scheduler:select_destinations', ['POST /scheduler/select_destinations']),
  guarded('berth:scheduler:explain', ['POST /scheduler/explain']),
  guarded('berth:scheduler:capacity', ['POST /scheduler/capacity', 'GET /scheduler/capacity']),
  guarded('berth:scheduler:simulate', ['POST /scheduler/simulate']),
  guarded('berth:scheduler:decisions:list', ['GET /scheduler/decisions']),
  guarded('berth:scheduler:decisions:show', ['GET /scheduler/decisions/{request_id}']),
  guarded('berth:scheduler:hosts:list', ['GET /scheduler/hosts']),
  guarded('berth:scheduler:hosts:show', ['GET /scheduler/hosts/{host}/{node}']),
  guarded('berth:scheduler:hosts:update', ['PUT /scheduler/hosts/{host}/{node}']),
  guarded('berth:scheduler:hosts:delete', ['DELETE /scheduler/hosts/{host}/{node}']),
  guarded('berth:scheduler:services:list', ['GET /scheduler/services']),
  guarded('berth:scheduler:services:show', ['GET /scheduler/services/{host}']),
  guarded('berth:scheduler:services:update', ['PATCH /scheduler/services/{host}']),
  guarded('berth:scheduler:services:delete', ['DELETE /scheduler/services/{host}']),
  ...registry('host_aggregates', '{uuid}'),
  guarded('berth:scheduler:host_aggregates:add_host', ['POST /scheduler/host_aggregates/{uuid}/hosts']),
  guarded('berth:scheduler:host_aggregates:remove_host', ['DELETE /scheduler/host_aggregates/{uuid}/hosts/{host}']),
  guarded('berth:scheduler:host_aggregates:set_metadata', ['PATCH /scheduler/host_aggregates/{uuid}/metadata']),
  guarded('berth:scheduler:availability_zones:list', ['GET /scheduler/availability_zones']),
  ...registry('server_groups', '{uuid}'),
  ...registry('flavors', '{id}'),
  guarded('berth:scheduler:flavors:set_extra_specs', ['PATCH /scheduler/flavors/{id}/extra_specs']),
  ...registry('images', '{uuid}'),
  guarded('berth:scheduler:instances:list', ['GET /scheduler/instances']),
  guarded('berth:scheduler:instances:show', ['GET /scheduler/instances/{uuid}']),
  guarded('berth:scheduler:instances:delete', ['DELETE /scheduler/instances/{uuid}']),
  guarded('berth:scheduler:instances:build_failed', ['POST /scheduler/instances/{uuid}/build_failed']),
  guarded('berth:scheduler:instances:move', [
    'POST /scheduler/instances/{uuid}/move',
    'POST /scheduler/instances/{uuid}/confirm_move',
    'POST /scheduler/instances/{uuid}/revert_move',
  ]),
  guarded('berth:operations:metrics', ['GET /metrics']),
  guarded('berth:operations:docs', ['GET /docs', 'GET /docs/openapi.json', 'GET /docs/{file}']),
] as const;
