// The ports of the scheduler, bound to this process's Placement, or to one that runs elsewhere.
import type { Provider } from '@nestjs/common';
import { AllocationClaims } from '../claim/allocation-claims';
import { BATCH_ROLLBACK, MarkedInstances } from '../claim/batch-rollback';
import { ClaimBatches } from '../claim/claim-batches';
import { GroupPolicy } from '../claim/group-policy';
import type { SchedulerConfig } from '../options';
import {
  CANDIDATE_SOURCE,
  CLAIMS,
  CONSUMER_STORE,
  HOST_SOURCE,
  REFERENCE_SOURCE,
  REMOTE_CONSUMERS,
  REPORTED_HOSTS,
  SCHEDULER_ENVIRONMENT,
} from '../ports';
import { RemoteCandidates } from '../remote-placement/remote-candidates';
import { RemoteClaims } from '../remote-placement/remote-claims';
import { RemoteConsumers } from '../remote-placement/remote-consumers';
import { RemoteGroupPolicy } from '../remote-placement/remote-group-policy';
import type { RemotePlacementSettings } from '../remote-placement/remote-placement';
import { RemotePlacement } from '../remote-placement/remote-placement';
import { RemoteRollback } from '../remote-placement/remote-rollback';
import { LocalConsumers } from './local-consumers';
import { PlacementCandidateSource } from './placement-candidate-source';
import { RegistryReferences } from './registry-references';
import type { HostSourceOptions } from './resident-host-source';
import { HOST_SOURCE_OPTIONS, ResidentHostSource } from './resident-host-source';
import { SYSTEM_ENVIRONMENT } from './system-environment';

type PortsConfig = Pick<SchedulerConfig, 'DEFAULT' | 'berth' | 'scheduler'>;

/** `remote`: the settings of a Placement service elsewhere; null: this process's own. */
export function portsOf(config: PortsConfig, remote: RemotePlacementSettings | null): readonly Provider[] {
  const options: HostSourceOptions = {
    defaultAvailabilityZone: config.DEFAULT.default_availability_zone,
    hostsFromInventory: config.berth.hosts_from_inventory,
    pendingTtlSeconds: config.scheduler.pending_ttl,
  };
  return [
    { provide: HOST_SOURCE_OPTIONS, useValue: options },
    { provide: HOST_SOURCE, useClass: ResidentHostSource },
    { provide: REPORTED_HOSTS, useExisting: HOST_SOURCE },
    { provide: REFERENCE_SOURCE, useClass: RegistryReferences },
    { provide: SCHEDULER_ENVIRONMENT, useValue: SYSTEM_ENVIRONMENT },
    ClaimBatches,
    ...(remote === null ? LOCAL : remotePorts(remote)),
  ];
}

const LOCAL: readonly Provider[] = [
  { provide: CANDIDATE_SOURCE, useClass: PlacementCandidateSource },
  { provide: CONSUMER_STORE, useClass: LocalConsumers },
  { provide: BATCH_ROLLBACK, useClass: MarkedInstances },
  { provide: CLAIMS, useClass: AllocationClaims },
  GroupPolicy,
];

const remotePorts = (settings: RemotePlacementSettings): readonly Provider[] => [
  {
    provide: RemotePlacement,
    useFactory: async (): Promise<RemotePlacement> => {
      const placement = new RemotePlacement(settings);
      await placement.start();
      return placement;
    },
  },
  RemoteConsumers,
  RemoteGroupPolicy,
  RemoteRollback,
  { provide: REMOTE_CONSUMERS, useExisting: RemoteConsumers },
  { provide: CANDIDATE_SOURCE, useClass: RemoteCandidates },
  { provide: CONSUMER_STORE, useExisting: RemoteConsumers },
  { provide: BATCH_ROLLBACK, useExisting: RemoteRollback },
  { provide: CLAIMS, useClass: RemoteClaims },
];
