import type { HostService } from '../../scheduling-rules/host-state/host-state';
import type { RegistriesConfig } from '../registries.config';
import { presentTime } from '../registry-page';
import { serviceStateOf } from './service-liveness';
import type { ComputeService } from './service.entity';
import type { ShownService } from './services.service';

/** The status that an operator set. */
const presentStatus = ({ disabled, disabledReason, forcedDown }: HostService): object => ({
  status: disabled ? 'disabled' : 'enabled',
  disabled_reason: disabledReason,
  forced_down: forcedDown,
});

/** The liveness according to its reports. */
const presentLiveness = (service: HostService, nowMs: number, downSeconds: number): object => ({
  state: serviceStateOf(service, nowMs, downSeconds),
  last_seen_up: presentTime(service.lastSeenUpMs),
});

/** Status and liveness, for all responses that show a service. */
export const presentServiceState = (service: HostService, nowMs: number, downSeconds: number): object => ({
  ...presentStatus(service),
  ...presentLiveness(service, nowMs, downSeconds),
});

/** The fields that a write changes. */
export const presentWritten = (service: ComputeService): object => ({
  ...presentStatus(service),
  generation: service.generation,
});

export function presentService(service: ShownService, config: RegistriesConfig, nowMs: number): object {
  return {
    host: service.host,
    nodes: service.nodes,
    ...presentWritten(service),
    ...presentLiveness(service, nowMs, config.serviceDownSeconds),
    down_after_seconds: config.serviceDownSeconds,
    availability_zone: service.zone ?? config.defaultZone,
    created_at: presentTime(service.createdAtMs),
    updated_at: presentTime(service.updatedAtMs),
  };
}
