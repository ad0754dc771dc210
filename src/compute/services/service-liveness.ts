// Status and state names of a compute service, and the rule of ComputeFilter for whether it is up. A forced-down
// service is down. Otherwise it is up if its last report (or its creation, if it never reported) is at most
// `downSeconds` away from now, in either direction. Pure.
import type { HostService } from '../../scheduling-rules/host-state/host-state';

/** The status that an operator sets. */
export const SERVICE_STATUSES = ['enabled', 'disabled'] as const;
export type ServiceStatus = (typeof SERVICE_STATUSES)[number];

export const SERVICE_STATES = ['up', 'down'] as const;
export type ServiceState = (typeof SERVICE_STATES)[number];

export function serviceStateOf(
  service: Pick<HostService, 'forcedDown' | 'lastSeenUpMs' | 'createdAtMs'>,
  nowMs: number,
  downSeconds: number,
): ServiceState {
  if (service.forcedDown) return 'down';
  const elapsedMs = Math.abs(nowMs - (service.lastSeenUpMs ?? service.createdAtMs));
  return elapsedMs <= downSeconds * 1000 ? 'up' : 'down';
}
