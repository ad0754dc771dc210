// Lists of the Identity API that are always empty. Roles come with tokens, and services are in the catalogue.
import type { RequestContext } from '../../platform/http/request-context';
import { Context } from '../../platform/http/route.decorators';
import { fixedAnswers } from '../fixed-answers';

const LISTS = {
  roles: 'Roles',
  role_assignments: 'RoleAssignments',
  services: 'Services',
  endpoints: 'Endpoints',
  regions: 'Regions',
  groups: 'Groups',
};

export const EmptyIdentityLists = fixedAnswers<RequestContext>({
  prefix: 'identity/v3',
  requested: Context,
  rows: Object.entries(LISTS).map(
    ([name, id]) => [name, `listIdentity${id}`, 'berth:facade:identity:catalog:show', name] as const,
  ),
});
