// Availability zones. Only administrators see the hosts.
import { Get } from '@nestjs/common';
import type { AvailabilityZone } from '../../compute/availability-zones/availability-zones.loader';
import { AvailabilityZones } from '../../compute/availability-zones/availability-zones.loader';
import { Operation } from '../../platform/http/operation.decorator';
import { Policy } from '../../platform/http/route.decorators';
import { PracticeController } from '../practice-cloud.decorators';
import { listing } from '../practice-cloud.responses';
import { COMPUTE_BINARY } from './services/compute-services.presenter';

@PracticeController('compute/v2.1/os-availability-zone')
export class ComputeZonesController {
  constructor(private readonly zones: AvailabilityZones) {}

  @Get()
  @Operation('listComputeZones', 'Lists availability zones.', listing('availabilityZoneInfo'))
  @Policy('berth:practice_cloud:compute:zones:list')
  list(): Promise<object> {
    return this.shown(() => null);
  }

  @Get('detail')
  @Operation('listComputeZoneDetails', 'Lists availability zones with their hosts.', listing('availabilityZoneInfo'))
  @Policy('berth:practice_cloud:compute:zones:detail')
  detail(): Promise<object> {
    return this.shown(presentHosts);
  }

  private async shown(hostsOf: (zone: AvailabilityZone) => object | null): Promise<object> {
    const zones = await this.zones.list(Date.now());
    return { availabilityZoneInfo: zones.map((zone) => ({ ...presentZone(zone), hosts: hostsOf(zone) })) };
  }
}

/** A zone is available if at least one of its hosts is up and enabled. */
const presentZone = ({ name, hosts }: AvailabilityZone): object => ({
  zoneName: name,
  zoneState: { available: hosts.some(({ isUp, isEnabled }) => isUp && isEnabled) },
});

const presentHosts = ({ hosts }: AvailabilityZone): object =>
  Object.fromEntries(
    hosts.map(({ host, isUp, isEnabled }) => [
      host,
      { [COMPUTE_BINARY]: { active: isEnabled, available: isUp, updated_at: null } },
    ]),
  );
