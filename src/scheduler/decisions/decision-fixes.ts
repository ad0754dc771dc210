// The changes that would let hosts of the running service take a refused request.
import { Inject, Injectable } from '@nestjs/common';
import { AllocationCandidatesService } from '../../placement/allocation-candidates/allocation-candidates.service';
import type { ReportedHosts } from '../ports';
import { REPORTED_HOSTS } from '../ports';
import { SchedulerService } from '../scheduler.service';
import { RequestFixes } from './request-fixes';

@Injectable()
export class FixFinder extends RequestFixes {
  constructor(
    candidates: AllocationCandidatesService,
    scheduler: SchedulerService,
    @Inject(REPORTED_HOSTS) hosts: ReportedHosts,
  ) {
    super(candidates, scheduler, hosts);
  }
}
