// Candidates for the scheduler from the same search that the REST API uses, in process.
import { Injectable } from '@nestjs/common';
import { AllocationCandidatesService } from '../../allocation-candidates/allocation-candidates.service';
import type { Asker, CandidateAnswer, CandidateQueryLike, CandidateSource } from '../ports';
import { turns } from '../../turns/turns';
import { boundedQuery, walkCandidateAnswer } from './candidate-answer';

@Injectable()
export class PlacementCandidateSource implements CandidateSource {
  constructor(private readonly candidates: AllocationCandidatesService) {}

  async search(query: CandidateQueryLike, asker?: Asker): Promise<CandidateAnswer> {
    const bounded = boundedQuery(query);
    const found =
      query.isExplained === true
        ? await this.candidates.explainHosts(bounded, query.perRoot, asker)
        : await this.candidates.searchHosts(bounded, query.perRoot, asker);
    return turns.run(walkCandidateAnswer(found), asker);
  }
}
