// Candidates of a described cloud: found by the engine on the providers described, or, where none are, one of each host.
import { explainedSearch } from '../../allocation-candidates/allocation-candidates.service';
import { searchCandidates } from '../../candidate-search';
import type { CandidateQuery, ProviderGraph } from '../../candidate-search';
import { SEARCH_LIMITS } from '../../config/limits';
import { isCustomName } from '../../domain/names';
import { STANDARD_RESOURCE_CLASSES } from '../../domain/standard-resource-classes';
import { STANDARD_TRAITS } from '../../domain/standard-traits';
import { UnknownReference } from '../../errors/domain-errors';
import { boundedQuery, candidateAnswerOf } from '../adapters/candidate-answer';
import type { CandidateAnswer, CandidateQueryLike, CandidateSource } from '../ports';
import type { ResourceRequest } from '../request/request-group';

/** The engine on a graph that stays as it is. Custom names need no registration. */
export class GraphCandidates implements CandidateSource {
  constructor(private readonly graph: ProviderGraph) {}

  async search(asked: CandidateQueryLike): Promise<CandidateAnswer> {
    refuseUnknownNames(asked);
    const query: CandidateQuery = {
      ...boundedQuery(asked),
      maxCandidates: SEARCH_LIMITS.candidates,
      strategy: 'breadth-first',
      perRoot: asked.perRoot,
      randomize: false,
    };
    const found = asked.isExplained === true ? explainedSearch(this.graph, query) : searchCandidates(this.graph, query);
    return candidateAnswerOf(found);
  }
}

const CLASSES: ReadonlySet<string> = new Set(STANDARD_RESOURCE_CLASSES);
const TRAITS: ReadonlySet<string> = new Set(STANDARD_TRAITS);

function refuseUnknownNames({ groups, rootRequired, rootForbidden }: ResourceRequest): void {
  for (const name of groups.flatMap(({ resources }) => [...resources.keys()])) {
    if (!CLASSES.has(name) && !isCustomName(name)) throw new UnknownReference(`There is no resource class ${name}.`);
  }
  const traits = groups.flatMap((group) => [...group.requiredTraits.flat(), ...group.forbiddenTraits]);
  for (const name of [...traits, ...rootRequired, ...rootForbidden]) {
    if (!TRAITS.has(name) && !isCustomName(name)) throw new UnknownReference(`There is no trait ${name}.`);
  }
}

/** Every host has one candidate, whatever is asked: all of it from its root provider. */
export class OneCandidateEach implements CandidateSource {
  constructor(private readonly roots: readonly { readonly uuid: string; readonly name: string }[]) {}

  async search({ groups, isExplained }: CandidateQueryLike): Promise<CandidateAnswer> {
    const resources: Record<string, number> = {};
    for (const [name, amount] of groups.flatMap((group) => [...group.resources])) {
      resources[name] = (resources[name] ?? 0) + amount;
    }
    return {
      requests: this.roots.map(({ uuid }) => ({
        rootUuid: uuid,
        allocations: { [uuid]: { resources } },
        mappings: Object.fromEntries(groups.map(({ suffix }) => [suffix, [uuid]])),
      })),
      summaries: Object.fromEntries(
        this.roots.map(({ uuid, name }) => [
          uuid,
          { uuid, name, rootUuid: uuid, parentUuid: null, traits: [], resources: {} },
        ]),
      ),
      truncated: false,
      notConsidered: 0,
      ...(isExplained === true && { rejections: [] }),
    };
  }
}
