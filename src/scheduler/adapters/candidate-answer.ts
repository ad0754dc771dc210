// Between the scheduler's query and the candidate engine's: how hosts bound what the engine bounds by candidates, and what
// an answer of the engine says in the scheduler's words. Pure.
import type { AskedQuery } from '../../allocation-candidates/query-parser';
import { treesOf } from '../../candidate-search';
import type {
  Candidate as EngineCandidate,
  Candidates,
  Provider,
  ProviderGraph,
  Rejection,
} from '../../candidate-search';
import { assert } from '../../domain/assert';
import { finish } from '../../domain/walk';
import type { Walk } from '../../domain/walk';
import { STATES_PER_STEP } from '../pipeline/limits';
import type { PlacementRejection } from '../pipeline/placement-rejection';
import type { CandidateAnswer, CandidateQueryLike } from '../ports';
import type { Candidate, ProviderResource, ProviderSummary } from '../request/candidate';

/** An answer of the engine; `rejections` where it was asked for reasons. */
type Found = Candidates & { readonly rejections?: readonly Rejection[] };

/** What the scheduler bounds are hosts, which the engine calls anchors. */
export function boundedQuery({ groupPolicy, limit: hosts, ...query }: CandidateQueryLike): AskedQuery {
  return {
    groups: query.groups,
    groupPolicy: groupPolicy ?? 'none',
    sameSubtree: query.sameSubtree,
    rootRequired: query.rootRequired,
    rootForbidden: query.rootForbidden,
    nestedAware: true,
    limit: null,
    maxAnchors: hosts,
  };
}

/** `walkCandidateAnswer` without a pause. */
export const candidateAnswerOf = (found: Found): CandidateAnswer => finish(walkCandidateAnswer(found));

/** The candidates, with every provider of the trees they use. */
export function* walkCandidateAnswer(found: Found): Walk<CandidateAnswer> {
  const summaries: Record<string, ProviderSummary> = {};
  let steps = 0;
  for (const { providers } of treesOf(found)) {
    if ((steps += 1) % STATES_PER_STEP === 0) yield;
    for (const provider of providers) summaries[provider.uuid] = toSummary(provider);
  }
  const requests: Candidate[] = [];
  for (const candidate of found.list) {
    if ((steps += 1) % STATES_PER_STEP === 0) yield;
    requests.push(toCandidate(candidate, found));
  }
  const { rejections, anchorsBeyond = 0 } = found;
  return {
    ...{ requests, summaries },
    truncated: found.truncated || anchorsBeyond !== 0,
    hasFurtherOfHosts: found.truncated,
    ...(rejections !== undefined
      ? yield* explanationOf({ ...found, rejections }, rootsOf(found.list))
      : { notConsidered: found.truncated ? null : anchorsBeyond }),
  };
}

/** Law: every root is returned, rejected for one reason, or counted as not considered. */
function* explanationOf(
  { graph, rejections }: Candidates & { readonly rejections: readonly Rejection[] },
  returned: ReadonlySet<number>,
): Walk<Pick<CandidateAnswer, 'notConsidered' | 'rejections'>> {
  const notConsidered = graph.rootIds.length - returned.size - rejections.length;
  assert(notConsidered >= 0, 'a root is returned or rejected, never both');
  const told: PlacementRejection[] = [];
  for (const rejection of rejections) {
    if (told.length % STATES_PER_STEP === STATES_PER_STEP - 1) yield;
    told.push(toRejection(rejection, graph));
  }
  return { notConsidered, rejections: told };
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

function toCandidate(candidate: EngineCandidate, found: Candidates): Candidate {
  const root = found.graph.findProvider(candidate.anchorId);
  if (root === undefined) throw new Error('a candidate is anchored at a provider that its graph lacks');
  return new FoundCandidate(root.uuid, candidate);
}

/** Of the thousands that are found, a few are looked at: what they say is written when somebody asks. */
class FoundCandidate implements Candidate {
  private asked: Candidate['allocations'] | undefined;
  private mapped: Candidate['mappings'] | undefined;

  constructor(
    readonly rootUuid: string,
    private readonly found: EngineCandidate,
  ) {}

  get allocations(): Candidate['allocations'] {
    this.asked ??= Object.fromEntries(
      this.found.allocations.map(({ provider, resources }) => [
        provider.uuid,
        { resources: Object.fromEntries(resources) },
      ]),
    );
    return this.asked;
  }

  get mappings(): Candidate['mappings'] {
    this.mapped ??= Object.fromEntries(this.found.mappings);
    return this.mapped;
  }
}

/** The tree of a root as it is now, for whoever has no answer of the engine. */
export function treeOfRoot(graph: ProviderGraph, rootUuid: string): readonly ProviderSummary[] {
  const root = graph.findProviderByUuid(rootUuid);
  return root === undefined ? [] : (graph.findTree(root.id)?.providers.map(toSummary) ?? []);
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
