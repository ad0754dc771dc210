// Candidates for the scheduler from the same search that the REST API uses, in process.
import { Injectable } from '@nestjs/common';
import { AllocationCandidatesService } from '../../placement/allocation-candidates/allocation-candidates.service';
import type { Mend, ResourceRequest } from '../../placement/candidate-search';
import type { Asker, CandidateAnswer, CandidateSource, SearchBounds } from '../ports';
import { candidateAnswerOf } from './candidate-answer';

@Injectable()
export class PlacementCandidateSource implements CandidateSource {
  constructor(private readonly candidates: AllocationCandidatesService) {}

  async search(
    request: ResourceRequest,
    { perRoot, isExplained }: SearchBounds,
    asker?: Asker,
  ): Promise<CandidateAnswer> {
    const found =
      isExplained === true
        ? await this.candidates.explainHosts(request, perRoot, asker)
        : await this.candidates.searchHosts(request, perRoot, asker);
    return candidateAnswerOf(found);
  }

  mended(request: ResourceRequest, mends: ReadonlyMap<number, Mend>, asker?: Asker): Promise<ReadonlySet<number>> {
    return this.candidates.mendedHosts(request, mends, asker);
  }
}
