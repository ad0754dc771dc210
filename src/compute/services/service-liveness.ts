// The words for a compute service, and whether it is up, by the rule of ComputeFilter: forced down is down; else its last report (its creation,
// when it never reported) may be so many seconds away from now, in either direction. Pure.
import type { HostService } from '../../scheduling/host-state/host-state';

/** What operators say of it. */
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
