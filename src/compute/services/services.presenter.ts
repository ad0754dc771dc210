import type { RegistriesConfig } from '../registries.config';
import { presentTime } from '../registry-page';
import { serviceStateOf } from './service-liveness';
import type { ComputeService } from './service.entity';
import type { ShownService } from './services.service';

/** What operators say of it. */
export const presentStatus = (
  service: Pick<ComputeService, 'disabled' | 'disabledReason' | 'forcedDown' | 'generation'>,
): object => ({
  status: service.disabled ? 'disabled' : 'enabled',
  disabled_reason: service.disabledReason,
  forced_down: service.forcedDown,
  generation: service.generation,
});

export function presentService(service: ShownService, config: RegistriesConfig, nowMs: number): object {
  return {
    host: service.host,
    nodes: service.nodes,
    ...presentStatus(service),
    state: serviceStateOf(service, nowMs, config.serviceDownSeconds),
    last_seen_up: presentTime(service.lastSeenUpMs),
    down_after_seconds: config.serviceDownSeconds,
    availability_zone: service.zone ?? config.defaultZone,
    created_at: presentTime(service.createdAtMs),
    updated_at: presentTime(service.updatedAtMs),
  };
}
