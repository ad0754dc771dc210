// Lists that are always empty, which clients request before or after something else. Berth has no ports, no volumes and
// no usage over time, and no migration outlasts its response.
import type { Type } from '@nestjs/common';
import { Get } from '@nestjs/common';
import type { PolicyRuleName } from '../platform/auth/policy-rules';
import { Operation } from '../platform/http/operation.decorator';
import { Policy } from '../platform/http/route.decorators';
import { PracticeController } from './practice-cloud.decorators';
import { listing } from './practice-cloud.responses';

const COMPUTE = 'berth:practice_cloud:compute';

/** The path, the operation, the policy, and the member of the answer if it is not called like the path. */
type EmptyList = readonly [path: string, operation: string, rule: PolicyRuleName, member?: string];

function emptyLists(prefix: string, lists: readonly EmptyList[]): Type<object> {
  class EmptyListsController {}
  const { prototype } = EmptyListsController;
  for (const [path, operation, rule, member = path] of lists) {
    const descriptor = { value: (): object => ({ [member]: [] }) };
    Object.defineProperty(prototype, operation, descriptor);
    for (const decorate of [
      Get(path),
      Operation(operation, `Lists ${member}: always none.`, listing(member)),
      Policy(rule),
    ])
      decorate(prototype, operation, descriptor);
  }
  PracticeController(prefix)(EmptyListsController);
  return EmptyListsController;
}

export const EmptyComputeLists = emptyLists('compute/v2.1', [
  ['extensions', 'listComputeExtensions', `${COMPUTE}:networks`],
  ['os-migrations', 'listComputeMigrations', `${COMPUTE}:migrations`, 'migrations'],
  ['os-simple-tenant-usage', 'listComputeUsages', `${COMPUTE}:usages`, 'tenant_usages'],
]);

const CATALOG = 'berth:practice_cloud:identity:catalog:show';

/** Roles come with tokens, and services are in the catalogue. */
export const EmptyIdentityLists = emptyLists('identity/v3', [
  ['roles', 'listIdentityRoles', CATALOG],
  ['role_assignments', 'listIdentityRoleAssignments', CATALOG],
  ['services', 'listIdentityServices', CATALOG],
  ['endpoints', 'listIdentityEndpoints', CATALOG],
  ['regions', 'listIdentityRegions', CATALOG],
  ['groups', 'listIdentityGroups', CATALOG],
]);

export const EmptyNetworkLists = emptyLists('network/v2.0', [
  ['availability_zones', 'listNetworkZones', `${COMPUTE}:networks`],
  ['extensions', 'listNetworkExtensions', `${COMPUTE}:networks`],
  ['subnets', 'listNetworkSubnets', `${COMPUTE}:networks`],
  ['ports', 'listNetworkPorts', `${COMPUTE}:networks`],
  ['routers', 'listNetworkRouters', `${COMPUTE}:networks`],
  ['floatingips', 'listNetworkFloatingAddresses', `${COMPUTE}:networks`],
]);
