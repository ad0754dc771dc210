// The registries as questions. What hosts say of themselves changes all the time: services and zones are asked for again
// at their own pace, the others when something was changed.
import type { Schema } from '@berth/client';
import { useAnswer } from '../../service/questions';
import { readWhole } from './whole';

export type HostAggregate = Schema<'HostAggregate'>;
export type AvailabilityZone = Schema<'AvailabilityZone'>;
export type ServerGroup = Schema<'ServerGroup'>;
export type Flavor = Schema<'Flavor'>;
export type Image = Schema<'Image'>;
export type ComputeService = Schema<'Service'>;

const PAGE = 1_000;
const SLOWLY_MS = 10_000;

export const useHostAggregates = () =>
  useAnswer('registries', ['host aggregates'], ({ scheduler }, signal) =>
    readWhole(
      (marker) => scheduler.hostAggregates.list({ limit: PAGE, marker }, { signal }),
      ({ host_aggregates: rows }) => rows,
    ),
  );

export const useZones = () =>
  useAnswer(
    'slow',
    ['zones'],
    ({ scheduler }, signal) =>
      readWhole(
        (marker) => scheduler.availabilityZones.list({ limit: PAGE, marker }, { signal }),
        ({ availability_zones: rows }) => rows,
      ),
    { everyMs: SLOWLY_MS },
  );

export const useServerGroups = () =>
  useAnswer('registries', ['server groups'], ({ scheduler }, signal) =>
    readWhole(
      (marker) => scheduler.serverGroups.list({ limit: PAGE, marker }, { signal }),
      ({ server_groups: rows }) => rows,
    ),
  );

export const useFlavors = () =>
  useAnswer('registries', ['flavors'], ({ scheduler }, signal) =>
    readWhole(
      (marker) => scheduler.flavors.list({ limit: PAGE, marker }, { signal }),
      ({ flavors: rows }) => rows,
    ),
  );

export const useImages = (enabled = true) =>
  useAnswer(
    'registries',
    ['images'],
    ({ scheduler }, signal) =>
      readWhole(
        (marker) => scheduler.images.list({ limit: PAGE, marker }, { signal }),
        ({ images: rows }) => rows,
      ),
    { enabled },
  );

export const useServices = (enabled = true) =>
  useAnswer(
    'slow',
    ['services'],
    ({ scheduler }, signal) =>
      readWhole(
        (marker) => scheduler.services.list({ limit: PAGE, marker }, { signal }),
        ({ services: rows }) => rows,
      ),
    { everyMs: SLOWLY_MS, enabled },
  );
