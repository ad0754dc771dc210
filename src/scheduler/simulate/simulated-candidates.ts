// Candidates of a described or planned cloud: from the engine on its providers.
import { hostQuery } from '../../placement/allocation-candidates/host-query';
import type { JudgedHost, ProviderGraph, RequestFix, ResourceRequest } from '../../placement/candidate-search';
import { findFixes, judgeHosts, refusalOf, searchCandidates } from '../../placement/candidate-search';
import { STANDARD_RESOURCE_CLASSES } from '../../placement/domain/standard-resource-classes';
import { STANDARD_TRAITS } from '../../placement/domain/standard-traits';
import { UnknownReference } from '../../platform/values/errors';
import { isCustomName } from '../../platform/values/names';
import { didYouMean } from '../../platform/values/nearest-name';
import { runToCompletion } from '../../platform/values/task';
import { candidateAnswerOf } from '../adapters/candidate-answer';
import type { CandidateAnswer, CandidateSource, SearchBounds } from '../ports';

/** The engine on a graph in memory. Custom names need no registration. */
export class GraphCandidates implements CandidateSource {
  /** The resource classes of all requests. */
  readonly requestedClasses = new Set<string>();

  constructor(
    private readonly cloud: { readonly current: ProviderGraph },
    /** Uuids of roots that have no candidates and no reasons. */
    private readonly leftOut: ReadonlySet<string> = new Set(),
  ) {}

  async search(request: ResourceRequest, bounds: SearchBounds): Promise<CandidateAnswer> {
    refuseUnknownNames(request);
    for (const { resources } of request.groups) for (const name of resources.keys()) this.requestedClasses.add(name);
    const { current } = this.cloud;
    const answer = candidateAnswerOf(searchCandidates(current, hostQuery(request, bounds, current.rootIds.length)));
    const { leftOut } = this;
    if (leftOut.size === 0) return answer;
    return { ...answer, requests: answer.requests.filter(({ rootUuid }) => !leftOut.has(rootUuid)) };
  }

  async judgeHosts(request: ResourceRequest): Promise<readonly JudgedHost[]> {
    const judged = runToCompletion(judgeHosts(this.cloud.current, request));
    return judged.filter(({ root }) => !this.leftOut.has(root.uuid));
  }

  async findFixes(
    asked: ResourceRequest,
    admits: (rootUuids: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<readonly RequestFix[]> {
    const judged = await this.judgeHosts(asked);
    const admitted = await admits(judged.map(({ root }) => root.uuid));
    const hosts = judged.filter(({ root, failures }) => failures.length > 0 && admitted.has(root.uuid));
    const { cause } = runToCompletion(refusalOf(hosts));
    return runToCompletion(findFixes(this.cloud.current, asked, { hosts, cause }));
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
