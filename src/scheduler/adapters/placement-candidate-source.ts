// Candidates for the scheduler from the same search that the REST API uses, in process.
import { Injectable } from '@nestjs/common';
import { AllocationCandidatesService } from '../../allocation-candidates/allocation-candidates.service';
import type { ExplainedCandidates } from '../../allocation-candidates/allocation-candidates.service';
import { providersToSummarise } from '../../candidate-search';
import type { Candidate as EngineCandidate, Candidates, Provider, Rejection } from '../../candidate-search';
import { assert } from '../../domain/assert';
import type { PlacementRejection } from '../pipeline/placement-rejection';
import type { CandidateAnswer, CandidateQueryLike, CandidateSource } from '../ports';
import type { Candidate, ProviderResource, ProviderSummary } from '../request/candidate';

@Injectable()
export class PlacementCandidateSource implements CandidateSource {
  constructor(private readonly candidates: AllocationCandidatesService) {}

  async search(query: CandidateQueryLike): Promise<CandidateAnswer> {
    const { perRoot, limit: hosts, isExplained = false, ...asked } = query;
    const bounded = {
      ...asked,
      groupPolicy: asked.groupPolicy ?? 'none',
      nestedAware: true,
      // The engine bounds candidates, the scheduler hosts. One more than those hosts can have tells a cut answer.
      limit: hosts === null ? null : hosts * perRoot + 1,
    };
    const explained = isExplained ? await this.candidates.explainHosts(bounded, perRoot) : null;
    const found = explained ?? (await this.candidates.searchHosts(bounded, perRoot));
    const kept = firstHosts(found, hosts);
    const truncated = found.truncated || kept.list.length < found.list.length;
    return {
      requests: kept.list.map((candidate) => toCandidate(candidate, found)),
      summaries: Object.fromEntries(
        providersToSummarise(kept, true).map((provider) => [provider.uuid, toSummary(provider)]),
      ),
      truncated,
      ...(explained !== null && explanationOf(explained, rootsOf(kept.list))),
      ...(explained === null && !truncated && { notConsidered: 0 }),
    };
  }
}

/** Law: every root is returned, rejected for one reason, or counted as not considered. */
function explanationOf(
  { graph, rejections }: ExplainedCandidates,
  returned: ReadonlySet<number>,
): Pick<CandidateAnswer, 'notConsidered' | 'rejections'> {
  const notConsidered = graph.rootIds.length - returned.size - rejections.length;
  assert(notConsidered >= 0, 'a root is returned or rejected, never both');
  return { notConsidered, rejections: rejections.map((rejection) => toRejection(rejection, graph)) };
}

/** The engine's reason; a provider it names by uuid gets its name as well. */
function toRejection({ tree, group, stage, code, params }: Rejection, graph: Candidates['graph']): PlacementRejection {
  const provider = typeof params['provider'] === 'string' ? graph.findProviderByUuid(params['provider']) : undefined;
  return {
    uuid: tree.rootUuid,
    name: graph.findProvider(tree.rootId)?.name ?? tree.rootUuid,
    ...{ group, stage, code },
    params:
      provider === undefined
        ? params
        : { ...params, provider_name: provider.name, is_root: provider.id === tree.rootId },
  };
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

/** A provider is another object whenever one of its facts changes, so what is made of it is kept with it. */
const SUMMARIES = new WeakMap<Provider, ProviderSummary>();

function toSummary(provider: Provider): ProviderSummary {
  let summary = SUMMARIES.get(provider);
  if (summary === undefined) SUMMARIES.set(provider, (summary = makeSummary(provider)));
  return summary;
}

function makeSummary(provider: Provider): ProviderSummary {
  const resources: Record<string, ProviderResource> = {};
  for (const { resourceClass, total, reserved, allocationRatio, capacity, used } of provider.inventories) {
    resources[resourceClass] = { total, reserved, allocationRatio, capacity, used };
  }
  return {
    uuid: provider.uuid,
    name: provider.name,
    rootUuid: provider.rootUuid,
    parentUuid: provider.parentUuid,
    traits: [...provider.traits],
    resources,
  };
}
