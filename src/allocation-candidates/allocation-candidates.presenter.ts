// Candidates as clients see them, since when.
import { providersToSummarise } from '../candidate-search';
import type { Candidate, CandidateQuery, Candidates, Provider } from '../candidate-search';
import type { ApiVersion } from '../microversion/api-version';

export function presentCandidates(
  candidates: Candidates,
  query: Pick<CandidateQuery, 'groups' | 'nestedAware'>,
  api: ApiVersion,
): object {
  const shown = api.has('summariesAllResources')
    ? undefined
    : new Set(query.groups.flatMap((group) => [...group.resources.keys()]));
  const providers = providersToSummarise(candidates, query.nestedAware);
  return {
    allocation_requests: candidates.list.map((candidate) => presentRequest(candidate, api)),
    provider_summaries: Object.fromEntries(
      providers.map((provider) => [provider.uuid, presentSummary(provider, shown, api)]),
    ),
  };
}

function presentRequest({ allocations, mappings }: Candidate, api: ApiVersion): object {
  return {
    allocations: api.has('allocationsAsDict')
      ? Object.fromEntries(
          allocations.map(({ provider, resources }) => [provider.uuid, { resources: Object.fromEntries(resources) }]),
        )
      : allocations.map(({ provider, resources }) => ({
          resource_provider: { uuid: provider.uuid },
          resources: Object.fromEntries(resources),
        })),
    ...(api.has('mappings') && { mappings: Object.fromEntries(mappings) }),
  };
}

function presentSummary(provider: Provider, shown: ReadonlySet<string> | undefined, api: ApiVersion): object {
  const inventories = provider.inventories.filter(({ resourceClass }) => shown?.has(resourceClass) ?? true);
  return {
    resources: Object.fromEntries(
      inventories.map(({ resourceClass, capacity, used }) => [resourceClass, { capacity, used }]),
    ),
    ...(api.has('candidatesTraits') && { traits: [...provider.traits] }),
    ...(api.has('nestedCandidates') && {
      parent_provider_uuid: provider.parentUuid,
      root_provider_uuid: provider.rootUuid,
    }),
  };
}
