// Updates the host state after an instance of the request was placed, for the next instance.

import type { Candidate } from '../../placement/candidate-search';
import { MIB_PER_GIB } from '../../placement/domain/inventory';
import type { RequestSpec } from '../request-spec/request-spec';
import { AppendOnlyMap } from './append-only';
import type { NumaPciPlacement } from './charge-instance';
import { chargeInstance } from './charge-instance';
import type { ProviderSummaries } from './host-state';
import { providerOf } from './host-state';
import type { HostInstance, HostState } from './host-state';

export interface HostCharge {
  readonly spec: RequestSpec;
  readonly candidate: Candidate;
  /** The instance's NUMA cells and PCI devices; null if they did not fit, then none are charged. */
  readonly placement: NumaPciPlacement | null;
  readonly summaries: ProviderSummaries;
  readonly novaCompat: boolean;
  readonly nowMs: number;
}

/**
 * Charges the amounts requested from Placement on providers of the host's own tree. With `nova_compat` it charges the
 * flavor's amounts, including the root disk of a volume-backed instance. Adds one instance and one I/O operation. With
 * `nova_compat` and without a server group, the host's list of instances stays unchanged.
 */
export function chargeHost(state: HostState, charge: HostCharge): HostState {
  const { spec, placement, novaCompat, nowMs } = charge;
  const cells = placement === null ? state : chargeInstance(state, placement);
  const { vcpus, memoryMb, diskMb } = novaCompat ? amountsOfFlavor(spec) : amountsOfCandidate(state, charge);
  const lists = !novaCompat || spec.instanceGroup !== null;
  return {
    ...state,
    freeRamMb: state.freeRamMb - memoryMb,
    vcpusUsed: state.vcpusUsed + vcpus,
    freeDiskMb: state.freeDiskMb - diskMb,
    numInstances: state.numInstances + 1,
    numIoOps: state.numIoOps + 1,
    instances: lists ? withInstance(state.instances, instanceOf(spec)) : state.instances,
    numaTopology: cells.numaTopology,
    pciPools: cells.pciPools,
    updatedAtMs: nowMs,
  };
}

interface Amounts {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskMb: number;
}

const amountsOfFlavor = ({ flavor }: RequestSpec): Amounts => ({
  vcpus: flavor.vcpus,
  memoryMb: flavor.memoryMb,
  diskMb: (flavor.rootGb + flavor.ephemeralGb) * MIB_PER_GIB,
});

function amountsOfCandidate(state: HostState, { candidate, summaries }: HostCharge): Amounts {
  const amounts = { VCPU: 0, PCPU: 0, MEMORY_MB: 0, DISK_GB: 0 };
  for (const [uuid, { resources }] of Object.entries(candidate.allocations)) {
    if ((providerOf(candidate, uuid, summaries)?.rootUuid ?? uuid) !== state.uuid) continue;
    for (const name of Object.keys(amounts) as (keyof typeof amounts)[]) amounts[name] += resources[name] ?? 0;
  }
  return {
    vcpus: amounts.VCPU + amounts.PCPU,
    memoryMb: amounts.MEMORY_MB,
    diskMb: amounts.DISK_GB * MIB_PER_GIB,
  };
}

const instanceOf = ({ instanceUuid, projectId, flavor, image }: RequestSpec): HostInstance => ({
  uuid: instanceUuid,
  projectId,
  flavor: flavor.name,
  imageProperties: image?.properties ?? {},
});

function withInstance(instances: HostState['instances'], instance: HostInstance): ReadonlyMap<string, HostInstance> {
  return AppendOnlyMap.of(instances).with(instance.uuid, instance);
}
