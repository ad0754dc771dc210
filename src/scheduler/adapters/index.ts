// The ports of the scheduler, bound to this process.
import type { Provider } from '@nestjs/common';
import { CANDIDATE_SOURCE, CLAIMS, HOST_SOURCE, SCHEDULER_ENVIRONMENT } from '../ports';
import { AllocationClaims } from './allocation-claims';
import { InventoryHostSource } from './inventory-host-source.loader';
import { PlacementCandidateSource } from './placement-candidate-source';
import { SYSTEM_ENVIRONMENT } from './system-environment';

export const IN_PROCESS_PORTS: readonly Provider[] = [
  { provide: CANDIDATE_SOURCE, useClass: PlacementCandidateSource },
  { provide: HOST_SOURCE, useClass: InventoryHostSource },
  { provide: CLAIMS, useClass: AllocationClaims },
  { provide: SCHEDULER_ENVIRONMENT, useValue: SYSTEM_ENVIRONMENT },
];
