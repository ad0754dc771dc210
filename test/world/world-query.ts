// Queries and candidates as text, for tests with worlds. `{name}` stands for the uuid of the provider (in `in_tree`) or
// of the aggregate (in `member_of`) of that name.

import type { Candidate, CandidateQuery, ProviderGraph, RequestGroup } from '../../src/placement/candidate-search';
import { parseMemberOf, parseRequired, parseResources } from '../../src/placement/domain/request-grammar';
import { aggregateUuid, providerUuid, unabbreviate } from './world-description';

const GROUP_KEY = /^(resources|required|member_of|in_tree)([a-zA-Z0-9_-]*)$/;
const FEATURES = { forbidden: true, anyOf: true };
const DEFAULTS = {
  groupPolicy: 'none',
  sameSubtree: [],
  rootRequired: [],
  rootForbidden: [],
  limit: null,
  nestedAware: true,
  maxCandidates: 100_000,
  strategy: 'depth-first',
  perRoot: null,
  randomize: false,
} as const satisfies Omit<CandidateQuery, 'groups'>;

/** Parses a query string in the notation of the contract; `overrides` are the fields that are not parameters. */
export function parseQuery(text: string, overrides: Partial<CandidateQuery> = {}): CandidateQuery {
  const groups = new Map<string, Record<string, string[]>>();
  const query: { -readonly [K in keyof CandidateQuery]: CandidateQuery[K] } = { ...DEFAULTS, groups: [] };
  for (const parameter of text.split('&')) {
    const at = parameter.indexOf('=');
    const key = parameter.slice(0, at);
    const value = parameter.slice(at + 1);
    if (key === 'limit') query.limit = Number(value);
    else if (key === 'group_policy') query.groupPolicy = value === 'isolate' ? 'isolate' : 'none';
    else if (key === 'same_subtree') query.sameSubtree = [...query.sameSubtree, value.split(',')];
    else if (key === 'root_required') {
      const { required, forbidden } = parseRequired([names(value)], FEATURES);
      query.rootRequired = required.flat();
      query.rootForbidden = forbidden;
    } else addToGroup(groups, key, value);
  }
  query.groups = [...groups].map(([suffix, parameters]) => toGroup(suffix, parameters));
  return { ...query, ...overrides };
}

/** A candidate as text, `h1(MEMORY_MB:512,VCPU:2)+s1(DISK_GB:20) {-:h1,s1}`: names ascending, `-` for unsuffixed. */
export function showCandidate(graph: ProviderGraph, candidate: Candidate): string {
  const allocations = Object.entries(candidate.allocations).map(([uuid, { resources }]) => {
    const amounts = Object.entries(resources).map(([resourceClass, amount]) => `${resourceClass}:${amount}`);
    return `${graph.findProviderByUuid(uuid)?.name ?? uuid}(${amounts.sort().join()})`;
  });
  const mappings = Object.entries(candidate.mappings).map(([suffix, uuids]) => {
    const providers = uuids.map((uuid) => graph.findProviderByUuid(uuid)?.name ?? uuid);
    return `${suffix === '' ? '-' : suffix}:${providers.sort().join()}`;
  });
  return `${allocations.sort().join('+')} {${mappings.sort().join(';')}}`;
}

/** Converts a candidate written by hand to the form of `showCandidate`; mappings can be omitted on both sides. */
export function normalizeCandidate(text: string): string {
  const [, body = '', mappings] = /^([^{]*?)\s*(?:\{(.*)\})?$/.exec(text.trim()) ?? [];
  const allocations = body.split('+').map((part) => {
    const [, name = '', amounts = ''] = /^\s*([^(\s]+)\(([^)]*)\)\s*$/.exec(part) ?? [];
    return `${name}(${amounts.split(',').map(amount).sort().join()})`;
  });
  const shown = allocations.sort().join('+');
  if (mappings === undefined) return shown;
  const pairs = mappings.split(';').map((pair) => {
    const [suffix = '', providers = ''] = pair.split(':').map((part) => part.trim());
    return `${suffix}:${providers
      .split(',')
      .map((name) => name.trim())
      .sort()
      .join()}`;
  });
  return `${shown} {${pairs.sort().join(';')}}`;
}

function amount(text: string): string {
  const [resourceClass = '', value = ''] = text.trim().split(':');
  return `${unabbreviate(resourceClass)}:${value}`;
}

function addToGroup(groups: Map<string, Record<string, string[]>>, key: string, value: string): void {
  const [, kind, suffix] = GROUP_KEY.exec(key) ?? [];
  if (kind === undefined || suffix === undefined) throw new Error(`not a parameter: ${key}`);
  const group = groups.get(suffix) ?? {};
  groups.set(suffix, group);
  (group[kind] ??= []).push(value);
}

function toGroup(suffix: string, parameters: Readonly<Record<string, string[]>>): RequestGroup {
  const traits = parseRequired((parameters['required'] ?? []).map(names), FEATURES);
  const aggregates = parseMemberOf((parameters['member_of'] ?? []).map(braced(aggregateUuid)), FEATURES);
  const resources = parameters['resources']?.at(-1);
  return {
    suffix,
    resources: resources === undefined ? new Map<string, number>() : parseResources(names(resources)),
    requiredTraits: traits.required,
    forbiddenTraits: traits.forbidden,
    memberOf: aggregates.memberOf,
    forbiddenAggregates: aggregates.forbidden,
    inTree: parameters['in_tree']?.map(braced(providerUuid)).at(-1) ?? null,
  };
}

function names(text: string): string {
  return text.replace(/[A-Z0-9_]+/g, unabbreviate);
}

function braced(uuidOf: (name: string) => string): (text: string) => string {
  return (text) => text.replace(/\{([^}]*)\}/g, (_, name: string) => uuidOf(name));
}
