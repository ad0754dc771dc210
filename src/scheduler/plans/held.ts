// What an instance holds of a host, and what its arrival and its departure change in the facts of that host.
import type { PlanHost, PlanInstance } from '../../scheduling-rules/plans/plan-cloud';
import type { PlanRequest, Shares } from './plan-requests';
import type { HostChange } from './what-if-hosts';

/** Its NUMA cells and PCI devices, as stored with a placement. */
interface Fitted {
  readonly numaTopology: unknown;
  readonly pciRequests: unknown;
  readonly placedAtMs: number;
}

export interface Held {
  readonly host: number;
  readonly shares: Shares;
  readonly fitted: Fitted;
}

interface Passenger {
  readonly instance: PlanInstance;
  readonly request: PlanRequest;
  readonly host: PlanHost;
  readonly held: Held;
}

/** `isExternal`: the free amounts of the host come from a source that does not count the instance yet. */
export function arrivalOf({ instance, request, host, held }: Passenger, isExternal: boolean): HostChange {
  const { uuid, projectId } = instance;
  const { flavor, image = null, is_bfv: isBfv = false } = request;
  const documents = { flavor, image, isBfv, ...held.fitted, ...(isExternal && { isUncounted: true }) };
  const arrived = { uuid, node: host.node, hostUuid: host.uuid, projectId, ...documents };
  return { host: host.host, root: host.uuid, arrived };
}

export function departureOf({ instance, request, host, held }: Passenger, releasedAtMs: number): HostChange {
  const { flavor, is_bfv: isBfv = false } = request;
  const { numaTopology, pciRequests } = held.fitted;
  const left = { uuid: instance.uuid, node: host.node, flavor, isBfv, numaTopology, pciRequests, releasedAtMs };
  return { host: host.host, root: host.uuid, left };
}
