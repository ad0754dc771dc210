// Parses the query string of GET /allocation_candidates by the rules of the request's version. Does not look up names
// of classes and traits.
import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import type { QueryParams } from '../../platform/http/query-params';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { DomainError, InvalidInput } from '../../platform/values/errors';
import { FIELD_RULES, QUERY_PREFIX, queryFault } from '../../platform/values/field-fault';
import { canonicalUuid } from '../../platform/values/uuid';
import type { CandidateQuery, RequestGroup, ResourceRequest } from '../candidate-search';
import type { TraitExpressions } from '../domain/request-grammar';
import { parseMemberOf, parseRequired, parseResources } from '../domain/request-grammar';

const GROUP_PARAMETER = /^(resources|required|member_of|in_tree)(.*)$/;

export function parseCandidateQuery(query: QueryParams, api: ApiVersion): ResourceRequest {
  const groups = suffixesOf(query).map((suffix) => parseGroup(query, suffix, api));
  if (groups.length > SEARCH_LIMITS.requestGroups) {
    throw new InvalidInput(`${QUERY_PREFIX} at most ${SEARCH_LIMITS.requestGroups} request groups may be asked for.`);
  }
  const sameSubtree = query.all('same_subtree').map((text) => text.split(',').map((suffix) => suffix.trim()));
  checkResources(groups, sameSubtree, api);
  const policy = query.first('group_policy');
  if (groups.filter((group) => group.suffix !== '').length > 1 && policy === undefined) {
    throw new InvalidInput('The "group_policy" parameter is required when specifying more than one numbered group.');
  }
  const root = parseRootRequired(query);
  return {
    groups,
    groupPolicy: groupPolicy(policy),
    sameSubtree,
    rootRequired: root.required.flat(),
    rootForbidden: root.forbidden,
    limit: parseLimit(query.first('limit')),
    nestedAware: api.has('nestedCandidates'),
  };
}

/** Every suffix in the query, including the empty one. */
function suffixesOf(query: QueryParams): readonly string[] {
  const suffixes = new Set<string>();
  for (const name of query.names) {
    const suffix = GROUP_PARAMETER.exec(name)?.[2];
    if (suffix !== undefined) suffixes.add(suffix);
  }
  return [...suffixes].sort();
}

function parseGroup(query: QueryParams, suffix: string, api: ApiVersion): RequestGroup {
  const resources = query.last(`resources${suffix}`);
  const required = query.all(`required${suffix}`);
  const memberOf = query.all(`member_of${suffix}`);
  const inTree = query.last(`in_tree${suffix}`);
  if (memberOf.length > 1 && !api.has('repeatedMemberOf')) {
    throw queryFault(`member_of${suffix}`, 'must not be repeated');
  }
  const traits = parseRequired(
    api.has('anyTraits') ? required : required.slice(-1),
    { forbidden: api.has('forbiddenTraits'), anyOf: api.has('anyTraits') },
    `required${suffix}`,
  );
  checkContradiction(traits, `required${suffix}`);
  const aggregates = parseMemberOf(memberOf, { forbidden: api.has('forbiddenAggregates') }, `member_of${suffix}`);
  const named = [
    ...traits.required.flat(),
    ...traits.forbidden,
    ...aggregates.memberOf.flat(),
    ...aggregates.forbidden,
  ];
  if (named.length > SEARCH_LIMITS.namesPerGroup) {
    throw new InvalidInput(
      `${QUERY_PREFIX} a group may name at most ${SEARCH_LIMITS.namesPerGroup} traits and aggregates.`,
    );
  }
  return {
    suffix,
    resources: resources === undefined ? new Map() : parseResources(resources, `resources${suffix}`),
    requiredTraits: traits.required,
    forbiddenTraits: traits.forbidden,
    memberOf: aggregates.memberOf,
    forbiddenAggregates: aggregates.forbidden,
    inTree: inTree === undefined ? null : providerOf(inTree, `in_tree${suffix}`),
  };
}

/** Ignores blanks around the uuid. */
function providerOf(text: string, parameter: string): string {
  const uuid = canonicalUuid(text.trim());
  if (uuid === undefined)
    throw new InvalidInput(`Expected '${parameter}' parameter to be a format of uuid, got: ${text}`);
  return uuid;
}

/** A set whose alternatives are all forbidden in the same group cannot be met. */
function checkContradiction({ required, forbidden }: TraitExpressions, parameter: string): void {
  const impossible = required.find((anyOf) => anyOf.every((trait) => forbidden.includes(trait)));
  if (impossible === undefined) return;
  throw new InvalidInput(
    `Conflicting required and forbidden traits found in '${parameter}': ${impossible.join(', ')}.`,
  );
}

function checkResources(
  groups: readonly RequestGroup[],
  sameSubtree: readonly (readonly string[])[],
  api: ApiVersion,
): void {
  const bare = groups.filter((group) => group.resources.size === 0).map((group) => group.suffix);
  if (!api.has('sameSubtree')) {
    if (groups.length === 0 || bare.length > 0) {
      const where = bare.map((suffix) => `'${suffix}'`).join(', ');
      throw queryFault('resources', `is required${where === '' ? '' : ` in group ${where}`}`);
    }
    return;
  }
  if (groups.length === bare.length) {
    throw new DomainError(
      'placement.query.missing_value',
      'There must be at least one resources or resources[$S] parameter.',
    );
  }
  const suffixes = new Set(groups.map((group) => group.suffix));
  for (const suffix of sameSubtree.flat()) {
    if (suffix === '')
      throw new DomainError(
        'placement.query.bad_value',
        "Empty string (unsuffixed group) is not allowed in 'same_subtree'.",
      );
    if (!suffixes.has(suffix)) {
      throw new DomainError(
        'placement.query.bad_value',
        `Real suffixes should be specified in 'same_subtree': '${suffix}' names no group.`,
      );
    }
  }
  const anchored = new Set(sameSubtree.flat());
  const loose = bare.filter((suffix) => !anchored.has(suffix));
  if (loose.length > 0) {
    throw new DomainError(
      'placement.query.bad_value',
      `All resourceless suffixed groups should be specified in 'same_subtree': '${loose.join("', '")}' is not.`,
    );
  }
}

function parseRootRequired(query: QueryParams): TraitExpressions {
  const texts = query.all('root_required');
  if (texts.length > 1)
    throw new DomainError(
      'placement.query.duplicate_key',
      "Query parameter 'root_required' may be specified only once.",
    );
  const traits = parseRequired(texts, { forbidden: true, anyOf: false }, 'root_required');
  const both = traits.required.flat().filter((trait) => traits.forbidden.includes(trait));
  if (both.length > 0) {
    throw new DomainError(
      'placement.query.bad_value',
      `Conflicting required and forbidden traits found in 'root_required': ${both.join(', ')}.`,
    );
  }
  return traits;
}

/** Uses the first value, whereas the schema validates the last. */
function parseLimit(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9][0-9]*$/.test(text)) throw queryFault('limit', 'is not a positive integer');
  return Math.min(Number(text), SEARCH_LIMITS.limitMax);
}

function groupPolicy(text: string | undefined): CandidateQuery['groupPolicy'] {
  if (text === undefined || text === 'none') return 'none';
  if (text === 'isolate') return 'isolate';
  throw queryFault('group_policy', FIELD_RULES.oneOf(['none', 'isolate']));
}
