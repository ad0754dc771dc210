// Candidates for the scheduler from the same search that the REST API uses, in process.
import { Injectable } from '@nestjs/common';
import { AllocationCandidatesService } from '../../placement/allocation-candidates/allocation-candidates.service';
import type { FailedCondition, ResourceRequest, TreeChange } from '../../placement/candidate-search';
import type { CandidateAnswer, CandidateSource, SchedulerCaller, SearchBounds } from '../ports';
import { candidateAnswerOf } from './candidate-answer';

@Injectable()
export class PlacementCandidateSource implements CandidateSource {
  constructor(private readonly candidates: AllocationCandidatesService) {}

  async search(request: ResourceRequest, bounds: SearchBounds, caller?: SchedulerCaller): Promise<CandidateAnswer> {
    const found =
      bounds.isExplained === true
        ? await this.candidates.explainHosts(request, bounds, caller)
        : await this.candidates.searchHosts(request, bounds, caller);
    return candidateAnswerOf(found);
  }

  fitsWithChanges(
    request: ResourceRequest,
    treeChanges: ReadonlyMap<number, TreeChange>,
    caller?: SchedulerCaller,
  ): Promise<ReadonlySet<number>> {
    return this.candidates.hostsFittingWithChanges(request, treeChanges, caller);
  }

  failedConditions(
    request: ResourceRequest,
    rootIds: readonly number[],
    caller?: SchedulerCaller,
  ): Promise<ReadonlyMap<number, readonly FailedCondition[]>> {
    return this.candidates.failedConditions(request, rootIds, caller);
  }
}
