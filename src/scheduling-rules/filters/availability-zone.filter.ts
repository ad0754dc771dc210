// AvailabilityZoneFilter: hosts of the requested zone. Legacy, off by default: the zone prefilter replaces it.

import { text } from '../../platform/values/options';
import { ZONE_KEY } from '../host-state/host-state';
import { defineFilter } from '../pipeline/define-filter';
import { partsOfKey } from './aggregate-metadata';
import { shownList } from './shown-params';

export const ZONE_OPTIONS = {
  default_availability_zone: text('nova', 'Name of the zone of hosts that are in no zone.', { group: 'DEFAULT' }),
} as const;

export const availabilityZoneFilter = defineFilter({
  name: 'AvailabilityZoneFilter',
  summary: 'Rejects hosts that are not in the requested availability zone.',
  options: ZONE_OPTIONS,
  rejections: { other_zone: 'the request asks for zone {wanted}; the host is in {found}' },
  once: true,
  reads: ['availability_zone'],
  applies: ({ availabilityZone }) => availabilityZone !== null && availabilityZone !== '',
  check: ({ aggregates }, { availabilityZone: requestedZone }, { options, pass, reject }) => {
    const named = partsOfKey(aggregates, ZONE_KEY);
    const zones = named.length > 0 ? named : [options.default_availability_zone];
    if (requestedZone === null || zones.includes(requestedZone)) return pass;
    return reject('other_zone', { wanted: requestedZone, found: shownList(zones) });
  },
});
