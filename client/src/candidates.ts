// Allocation candidates: provider sets that can supply the requested amounts. Builds the query string from a typed
// query.
import type { Calls } from './calls.ts';
import type { Answer } from './routes.ts';
import type { CallOptions } from './session.ts';

const CANDIDATES = '/allocation_candidates';
const EXPLAIN = '/allocation_candidates/explain';

/** One name, with `!` if it is forbidden; or a list of which one suffices. */
type Alternatives = string | readonly string[];

/** The request to one provider, or for the unnumbered group to several together. */
export interface CandidateGroup {
  /** Amounts by resource class. */
  readonly resources?: Readonly<Record<string, number>>;
  /** Traits; all entries must hold. */
  readonly required?: readonly Alternatives[];
  /** Aggregates by uuid; all entries must hold. */
  readonly memberOf?: readonly Alternatives[];
  /** The uuid of a provider of the tree. */
  readonly inTree?: string;
}

export interface CandidateQuery extends CandidateGroup {
  /** Further groups by suffix, for example `_NET` or `1`; one provider supplies each group. */
  readonly groups?: Readonly<Record<string, CandidateGroup>>;
  /** Whether groups can share a provider; required if there are two or more. */
  readonly groupPolicy?: 'none' | 'isolate';
  /** Suffixes of groups that must be below one common provider; all entries must hold. */
  readonly sameSubtree?: readonly (readonly string[])[];
  /** Traits of the root; `!` marks a forbidden one. */
  readonly rootRequired?: readonly string[];
  readonly limit?: number;
}

/** `incomplete`: the search reached its work limit, so more candidates can exist. */
export type Candidates = Answer<typeof CANDIDATES> & { readonly incomplete: boolean };

export const listAllocationCandidates =
  (calls: Calls) =>
  async (query: CandidateQuery | URLSearchParams, options?: CallOptions): Promise<Candidates> => {
    const { document, headers } = await calls.receive('get', CANDIDATES, { query: candidateParams(query) }, options);
    return { ...(document as Answer<typeof CANDIDATES>), incomplete: headers.get('x-berth-search') === 'incomplete' };
  };

/** The same search with the fate of every tree; `provider` limits the explanation to one tree. */
export const explainAllocationCandidates =
  (calls: Calls) =>
  (
    query: CandidateQuery | URLSearchParams,
    { provider, ...options }: CallOptions & { readonly provider?: string } = {},
  ): Promise<Answer<typeof EXPLAIN>> => {
    const params = candidateParams(query);
    if (provider !== undefined) params.append('explain_provider', provider);
    return calls.ask('get', EXPLAIN, { query: params }, options) as Promise<Answer<typeof EXPLAIN>>;
  };

/** The query string of a candidates query. */
export function candidateParams(query: CandidateQuery | URLSearchParams): URLSearchParams {
  if (query instanceof URLSearchParams) return new URLSearchParams(query);
  const { groups = {}, groupPolicy, sameSubtree = [], rootRequired = [], limit } = query;
  const params = new URLSearchParams();
  for (const [suffix, group] of [['', query] as const, ...Object.entries(groups)]) addGroup(params, suffix, group);
  if (groupPolicy !== undefined) params.append('group_policy', groupPolicy);
  for (const suffixes of sameSubtree) params.append('same_subtree', suffixes.join(','));
  if (rootRequired.length > 0) params.append('root_required', rootRequired.join(','));
  if (limit !== undefined) params.append('limit', String(limit));
  return params;
}

function addGroup(params: URLSearchParams, suffix: string, group: CandidateGroup): void {
  const { resources = {}, required = [], memberOf = [], inTree } = group;
  const amounts = Object.entries(resources).map(([name, amount]) => `${name}:${amount}`);
  if (amounts.length > 0) params.append(`resources${suffix}`, amounts.join(','));
  for (const traits of required) params.append(`required${suffix}`, alternatives(traits));
  for (const aggregates of memberOf) params.append(`member_of${suffix}`, alternatives(aggregates));
  if (inTree !== undefined) params.append(`in_tree${suffix}`, inTree);
}

const alternatives = (names: Alternatives): string => (typeof names === 'string' ? names : `in:${names.join(',')}`);
