// Queries of the registries. Services and zones depend on reports of hosts and are polled; the others are read again
// after a change.
import type { Schema } from '@berth/client';
import { pages } from '@berth/client';
import { useAnswer } from '../../service/questions';
import { readWhole } from '../../service/whole';

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
    readWhole(pages(scheduler.hostAggregates.list, { limit: PAGE }, { signal }), ({ host_aggregates: rows }) => rows),
  );

export const useZones = () =>
  useAnswer(
    'slow',
    ['zones'],
    ({ scheduler }, signal) =>
      readWhole(
        pages(scheduler.availabilityZones.list, { limit: PAGE }, { signal }),
        ({ availability_zones: rows }) => rows,
      ),
    { everyMs: SLOWLY_MS },
  );

export const useServerGroups = () =>
  useAnswer('registries', ['server groups'], ({ scheduler }, signal) =>
    readWhole(pages(scheduler.serverGroups.list, { limit: PAGE }, { signal }), ({ server_groups: rows }) => rows),
  );

export const useFlavors = () =>
  useAnswer('registries', ['flavors'], ({ scheduler }, signal) =>
    readWhole(pages(scheduler.flavors.list, { limit: PAGE }, { signal }), ({ flavors: rows }) => rows),
  );

export const useImages = (enabled = true) =>
  useAnswer(
    'registries',
    ['images'],
    ({ scheduler }, signal) =>
      readWhole(pages(scheduler.images.list, { limit: PAGE }, { signal }), ({ images: rows }) => rows),
    { enabled },
  );

export const useServices = (enabled = true) =>
  useAnswer(
    'slow',
    ['services'],
    ({ scheduler }, signal) =>
      readWhole(pages(scheduler.services.list, { limit: PAGE }, { signal }), ({ services: rows }) => rows),
    { everyMs: SLOWLY_MS, enabled },
  );
