// A resource request as the query string of GET /allocation_candidates, so an operator can repeat the scheduler's
// query.

import type { RequestGroup, ResourceRequest } from '../../placement/candidate-search';
import { compareText } from '../../platform/values/text-order';

/** The parameters, sorted by name, then value. */
function queryParameters(request: ResourceRequest): readonly (readonly [string, string])[] {
  const parameters: [string, string][] = request.groups.flatMap(groupParameters);
  if (request.limit !== null) parameters.push(['limit', String(request.limit)]);
  if (request.groupPolicy !== null) parameters.push(['group_policy', request.groupPolicy]);
  const root = traits(request.rootRequired, request.rootForbidden);
  if (root !== '') parameters.push(['root_required', root]);
  for (const suffixes of request.sameSubtree) parameters.push(['same_subtree', [...suffixes].sort().join(',')]);
  return parameters.sort(
    ([oneName, oneValue], [otherName, otherValue]) =>
      compareText(oneName, otherName) || compareText(oneValue, otherValue),
  );
}

/** Values are percent-encoded with `+` for blanks; `:`, `,` and `!` are valid in a query and stay readable. */
export function queryString(request: ResourceRequest): string {
  return queryParameters(request)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
}

function groupParameters(group: RequestGroup): [string, string][] {
  const { suffix } = group;
  const resources = [...group.resources].map(([name, amount]) => `${name}:${amount}`).sort();
  const parameters: [string, string][] = [[`resources${suffix}`, resources.join(',')]];
  const single = group.requiredTraits.filter((any) => any.length === 1).flat();
  const required = traits(single, group.forbiddenTraits);
  if (required !== '') parameters.push([`required${suffix}`, required]);
  for (const any of group.requiredTraits) {
    if (any.length > 1) parameters.push([`required${suffix}`, `in:${[...any].sort().join(',')}`]);
  }
  for (const set of group.memberOf) parameters.push([`member_of${suffix}`, `in:${[...set].sort().join(',')}`]);
  if (group.forbiddenAggregates.length > 0) {
    parameters.push([`member_of${suffix}`, `!in:${[...group.forbiddenAggregates].sort().join(',')}`]);
  }
  if (group.inTree !== null) parameters.push([`in_tree${suffix}`, group.inTree]);
  return parameters;
}

const traits = (required: readonly string[], forbidden: readonly string[]): string =>
  [...[...required].sort(), ...[...forbidden].sort().map((trait) => `!${trait}`)].join(',');

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%21', '!');
