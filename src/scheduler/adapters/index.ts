// The ports of the scheduler, bound to this process.
import type { Provider } from '@nestjs/common';
import { AllocationClaims } from '../claim/allocation-claims';
import { ClaimBatches } from '../claim/claim-batches';
import { GroupPolicy } from '../claim/group-policy';
import type { SchedulerConfig } from '../options';
import {
  CANDIDATE_SOURCE,
  CLAIMS,
  HOST_SOURCE,
  REFERENCE_SOURCE,
  REPORTED_HOSTS,
  SCHEDULER_ENVIRONMENT,
} from '../ports';
import { PlacementCandidateSource } from './placement-candidate-source';
import { RegistryReferences } from './registry-references';
import type { HostSourceOptions } from './resident-host-source';
import { HOST_SOURCE_OPTIONS, ResidentHostSource } from './resident-host-source';
import { SYSTEM_ENVIRONMENT } from './system-environment';

export function inProcessPorts(config: Pick<SchedulerConfig, 'DEFAULT' | 'berth' | 'scheduler'>): readonly Provider[] {
  const options: HostSourceOptions = {
    defaultAvailabilityZone: config.DEFAULT.default_availability_zone,
    hostsFromInventory: config.berth.hosts_from_inventory,
    pendingTtlSeconds: config.scheduler.pending_ttl,
  };
  return [
    { provide: CANDIDATE_SOURCE, useClass: PlacementCandidateSource },
    { provide: HOST_SOURCE_OPTIONS, useValue: options },
    { provide: HOST_SOURCE, useClass: ResidentHostSource },
    { provide: REPORTED_HOSTS, useExisting: HOST_SOURCE },
    { provide: REFERENCE_SOURCE, useClass: RegistryReferences },
    ClaimBatches,
    GroupPolicy,
    { provide: CLAIMS, useClass: AllocationClaims },
    { provide: SCHEDULER_ENVIRONMENT, useValue: SYSTEM_ENVIRONMENT },
  ];
}
