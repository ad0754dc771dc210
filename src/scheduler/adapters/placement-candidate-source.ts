// Candidates for the scheduler from the same search that the REST API uses, in process.
import { Injectable } from '@nestjs/common';
import { AllocationCandidatesService } from '../../allocation-candidates/allocation-candidates.service';
import { providersToSummarise } from '../../candidate-search';
import type { Candidate as EngineCandidate, Candidates, Provider } from '../../candidate-search';
import type { CandidateAnswer, CandidateQueryLike, CandidateSource } from '../ports';
import type { Candidate, ProviderSummary } from '../request/candidate';

@Injectable()
export class PlacementCandidateSource implements CandidateSource {
  constructor(private readonly candidates: AllocationCandidatesService) {}

  async search(query: CandidateQueryLike): Promise<CandidateAnswer> {
    const { perRoot, limit: hosts, ...asked } = query;
    const found = await this.candidates.searchHosts(
      {
        ...asked,
        groupPolicy: asked.groupPolicy ?? 'none',
        nestedAware: true,
        // The engine bounds candidates, the scheduler hosts: enough for every host to have all of its own.
        limit: hosts === null ? null : hosts * perRoot,
      },
      perRoot,
    );
    const kept = firstHosts(found, hosts);
    return {
      requests: kept.list.map((candidate) => toCandidate(candidate, found)),
      summaries: Object.fromEntries(
        providersToSummarise(kept, true).map((provider) => [provider.uuid, toSummary(provider)]),
      ),
      truncated: found.truncated || kept.list.length < found.list.length,
      notConsidered: rootsOf(found.list).size - rootsOf(kept.list).size,
    };
  }
}

const rootsOf = (list: readonly EngineCandidate[]): ReadonlySet<number> =>
  new Set(list.map((candidate) => candidate.anchorId));

/** All candidates of the first so many hosts. */
function firstHosts(found: Candidates, hosts: number | null): Candidates {
  if (hosts === null) return found;
  const wanted = new Set([...rootsOf(found.list)].slice(0, hosts));
  return { ...found, list: found.list.filter((candidate) => wanted.has(candidate.anchorId)) };
}

function toCandidate({ anchorId, allocations, mappings }: EngineCandidate, found: Candidates): Candidate {
  const root = found.graph.findProvider(anchorId);
  if (root === undefined) throw new Error('a candidate is anchored at a provider that its graph lacks');
  return {
    rootUuid: root.uuid,
    allocations: Object.fromEntries(
      allocations.map(({ provider, resources }) => [provider.uuid, { resources: Object.fromEntries(resources) }]),
    ),
    mappings: Object.fromEntries(mappings),
  };
}

function toSummary(provider: Provider): ProviderSummary {
  return {
    name: provider.name,
    rootUuid: provider.rootUuid,
    parentUuid: provider.parentUuid,
    traits: [...provider.traits],
    resources: Object.fromEntries(
      provider.inventories.map(({ resourceClass, capacity, used }) => [resourceClass, { capacity, used }]),
    ),
  };
}
