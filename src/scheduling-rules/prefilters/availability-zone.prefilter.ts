// Availability zone: restricts the request to its zone. The default zone contains the hosts without a zone. Any other
// name without a host aggregate is refused, whereas nova would use any zone.

import { ZONE_KEY } from '../host-state/host-state';
import { definePrefilter } from '../pipeline/define-prefilter';
import { unresolved } from '../request-spec/request-refusal';

export const availabilityZonePrefilter = definePrefilter({
  name: 'AvailabilityZonePrefilter',
  summary:
    'Requires membership in a host aggregate of the requested zone; the default zone name forbids those of all zones.',
  apply: ({ availabilityZone: zone }, { cloud, novaCompat, add, nothing }) => {
    if (zone === null) return nothing('no zone is requested');
    const zoned = cloud.hostAggregates.filter(({ metadata }) => Object.hasOwn(metadata, ZONE_KEY));
    const zoneAggregates = zoned.filter(({ metadata }) => metadata[ZONE_KEY] === zone).map(({ uuid }) => uuid);
    if (zoneAggregates.length > 0) return add({ memberOf: [zoneAggregates] }, `zone ${zone}`);
    if (novaCompat) return nothing(`no host aggregate is zone ${zone}`);
    if (zone !== cloud.defaultAvailabilityZone) throw unresolved('availability_zone', 'zone', zone);
    if (zoned.length === 0) return nothing(`every host is in the default zone ${zone}`);
    return add({ forbiddenAggregates: zoned.map(({ uuid }) => uuid) }, `default zone ${zone}: hosts in no other zone`);
  },
});
