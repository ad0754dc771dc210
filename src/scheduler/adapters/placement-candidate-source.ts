// Candidates for the scheduler from the same search that the REST API uses, in process.
import { Injectable } from '@nestjs/common';
import { AllocationCandidatesService } from '../../placement/allocation-candidates/allocation-candidates.service';
import type { JudgedHost, ResourceRequest } from '../../placement/candidate-search';
import type { CandidateAnswer, CandidateSource, SchedulerCaller, SearchBounds } from '../ports';
import { candidateAnswerOf } from './candidate-answer';

@Injectable()
export class PlacementCandidateSource implements CandidateSource {
  constructor(private readonly candidates: AllocationCandidatesService) {}

  async search(request: ResourceRequest, bounds: SearchBounds, caller?: SchedulerCaller): Promise<CandidateAnswer> {
    return candidateAnswerOf(await this.candidates.searchHosts(request, bounds, caller));
  }

  judgeHosts(request: ResourceRequest, caller?: SchedulerCaller): Promise<readonly JudgedHost[]> {
    return this.candidates.judgeHosts(request, caller);
  }
}
