import type { RegistriesConfig } from '../../../compute/registries.config';
import { serviceStateOf } from '../../../compute/services/service-liveness';
import type { ShownService } from '../../../compute/services/services.service';
import type { ComputeVersion } from '../../compute-version';
import { toTheMicrosecond } from '../../times';
import { idOf, serviceUuidOf } from '../compute-ids';

/** The only kind of service in Berth. */
export const COMPUTE_BINARY = 'nova-compute';

export const presentComputeService = (
  service: ShownService,
  { config, nowMs, api }: { readonly config: RegistriesConfig; readonly nowMs: number; readonly api: ComputeVersion },
): object => ({
  id: idOf(serviceUuidOf(service.host), api.has('uuidsOfHosts')),
  binary: COMPUTE_BINARY,
  host: service.host,
  zone: service.zone ?? config.defaultZone,
  status: service.disabled ? 'disabled' : 'enabled',
  state: serviceStateOf(service, nowMs, config.serviceDownSeconds),
  updated_at: toTheMicrosecond(service.lastSeenUpMs),
  disabled_reason: service.disabledReason,
  ...(api.has('forcedDown') && { forced_down: service.forcedDown }),
});
