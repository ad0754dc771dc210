// Converts the query string of GET /resource_providers to a filter, by the rules of the requested version.
import type { QueryParams } from '../../platform/http/query-params';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { queryFault } from '../../platform/values/field-fault';
import { parseMemberOf, parseRequired, parseResources } from '../domain/request-grammar';
import type { ProviderFilter } from './resource-providers.commands';
import { checkedUuid } from './resource-providers.schema';

export function providerFilter(query: QueryParams, api: ApiVersion): ProviderFilter {
  const name = query.last('name');
  const uuid = query.last('uuid');
  const inTree = query.last('in_tree');
  const resources = query.last('resources');
  const traits = parseRequired(api.has('anyTraits') ? query.all('required') : query.all('required').slice(-1), {
    forbidden: api.has('forbiddenTraits'),
    anyOf: api.has('anyTraits'),
  });
  const memberOf = parseMemberOf(memberOfValues(query, api), { forbidden: api.has('forbiddenAggregates') });
  return {
    ...(name !== undefined && name !== '' && { name }),
    ...(uuid !== undefined && { uuid: checkedUuid(uuid) }),
    ...(inTree !== undefined && { inTree: checkedUuid(inTree) }),
    ...(resources !== undefined && { resources: parseResources(resources) }),
    requiredTraits: traits.required,
    forbiddenTraits: traits.forbidden,
    memberOf: memberOf.memberOf,
    forbiddenAggregates: memberOf.forbidden,
  };
}

function memberOfValues(query: QueryParams, api: ApiVersion): readonly string[] {
  const values = query.all('member_of');
  if (values.length > 1 && !api.has('repeatedMemberOf')) {
    throw queryFault('member_of', 'must not be repeated');
  }
  return values;
}
