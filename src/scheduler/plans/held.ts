// What an instance holds of a host, and the facts of its placement there.
import type { PendingInstance } from '../../scheduling-rules/host-state/host-facts';
import type { PlanHost, PlanInstance } from '../../scheduling-rules/plans/plan-cloud';
import type { Shares } from './cloud-snapshot';
import type { PlanRequest } from './plan-requests';

export interface Held {
  readonly host: number;
  readonly shares: Shares;
  readonly facts: PendingInstance;
}

/** `fitted`: its NUMA cells and PCI devices, as stored with a placement. */
export function factsOf(
  { uuid, projectId }: Pick<PlanInstance, 'uuid' | 'projectId'>,
  { flavor, image = null, is_bfv: isBfv = false }: PlanRequest,
  { node, uuid: hostUuid }: PlanHost,
  fitted: Pick<PendingInstance, 'numaTopology' | 'pciRequests' | 'placedAtMs' | 'isUncounted'>,
): PendingInstance {
  return { uuid, projectId, node, hostUuid, flavor, image, isBfv, ...fitted };
}
