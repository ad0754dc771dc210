// Candidates of a described cloud: from the engine on the described providers; without providers, one per host.
import { explainedSearch, hostQuery } from '../../placement/allocation-candidates/allocation-candidates.service';
import type { FailedCondition, ProviderGraph, ResourceRequest, TreeChange } from '../../placement/candidate-search';
import { buildGraph, ChangedTrees, ConditionChecks, searchCandidates } from '../../placement/candidate-search';
import { STANDARD_RESOURCE_CLASSES } from '../../placement/domain/standard-resource-classes';
import { STANDARD_TRAITS } from '../../placement/domain/standard-traits';
import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import { UnknownReference } from '../../platform/values/errors';
import { isCustomName } from '../../platform/values/names';
import { didYouMean } from '../../platform/values/nearest-name';
import { runToCompletion } from '../../platform/values/task';
import type { ProviderSummaries } from '../../scheduling-rules/host-state/host-state';
import { candidateAnswerOf } from '../adapters/candidate-answer';
import type { CandidateAnswer, CandidateSource, SearchBounds } from '../ports';

/** The engine on an immutable graph. Custom names need no registration. */
export class GraphCandidates implements CandidateSource {
  constructor(private readonly graph: ProviderGraph) {}

  async search(request: ResourceRequest, bounds: SearchBounds): Promise<CandidateAnswer> {
    refuseUnknownNames(request);
    const query = hostQuery(request, bounds, SEARCH_LIMITS.candidates);
    const found =
      bounds.isExplained === true
        ? runToCompletion(explainedSearch(this.graph, query))
        : searchCandidates(this.graph, query);
    return candidateAnswerOf(found);
  }

  async fitsWithChanges(
    request: ResourceRequest,
    treeChanges: ReadonlyMap<number, TreeChange>,
  ): Promise<ReadonlySet<number>> {
    const trees = new ChangedTrees(this.graph, request);
    return new Set(
      [...treeChanges].flatMap(([rootId, treeChange]) => (trees.fits(rootId, treeChange) ? [rootId] : [])),
    );
  }

  async failedConditions(
    request: ResourceRequest,
    rootIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly FailedCondition[]>> {
    const checks = new ConditionChecks(this.graph, request);
    return new Map(rootIds.map((rootId) => [rootId, checks.failedBy(rootId)]));
  }
}

const CLASSES: ReadonlySet<string> = new Set(STANDARD_RESOURCE_CLASSES);
const TRAITS: ReadonlySet<string> = new Set(STANDARD_TRAITS);

function refuseUnknownNames({ groups, rootRequired, rootForbidden }: ResourceRequest): void {
  for (const name of groups.flatMap(({ resources }) => [...resources.keys()])) {
    if (!CLASSES.has(name) && !isCustomName(name)) {
      throw new UnknownReference(`There is no resource class ${name}.${didYouMean(name, STANDARD_RESOURCE_CLASSES)}`);
    }
  }
  const traits = groups.flatMap((group) => [...group.requiredTraits.flat(), ...group.forbiddenTraits]);
  for (const name of [...traits, ...rootRequired, ...rootForbidden]) {
    if (!TRAITS.has(name) && !isCustomName(name)) {
      throw new UnknownReference(`There is no trait ${name}.${didYouMean(name, STANDARD_TRAITS)}`);
    }
  }
}

/** Every host has one candidate for any request, with all resources from its root provider. */
export class OneCandidateEach implements CandidateSource {
  private readonly summaries: ProviderSummaries;

  constructor(roots: readonly { readonly uuid: string; readonly name: string }[]) {
    const providers = roots.map((root, at) => ({ ...root, id: at + 1, rootId: at + 1, parentId: null }));
    const graph = buildGraph({ providers, inventories: [], traits: [], aggregates: [] });
    const known = providers.flatMap(({ id }) => graph.findProvider(id) ?? []);
    this.summaries = new Map(known.map((provider) => [provider.uuid, provider]));
  }

  async search({ groups }: ResourceRequest, { isExplained }: SearchBounds): Promise<CandidateAnswer> {
    const resources: Record<string, number> = {};
    for (const [name, amount] of groups.flatMap((group) => [...group.resources])) {
      resources[name] = (resources[name] ?? 0) + amount;
    }
    return {
      requests: Array.from(this.summaries.keys(), (uuid) => ({
        rootUuid: uuid,
        allocations: { [uuid]: { resources } },
        mappings: Object.fromEntries(groups.map(({ suffix }) => [suffix, [uuid]])),
      })),
      summaries: this.summaries,
      truncated: false,
      notConsidered: 0,
      ...(isExplained === true && { rejections: [] }),
    };
  }

  /** Every host has a candidate as it is. */
  async fitsWithChanges(
    _: ResourceRequest,
    treeChanges: ReadonlyMap<number, TreeChange>,
  ): Promise<ReadonlySet<number>> {
    return new Set(treeChanges.keys());
  }

  /** Every host fulfils every condition. */
  async failedConditions(): Promise<ReadonlyMap<number, readonly FailedCondition[]>> {
    return new Map();
  }
}
