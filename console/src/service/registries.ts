// The scheduler's registries and the names in them. Each is read whole, only when a page needs it and the user's roles
// permit it. Services and zones depend on reports of hosts: a page that shows them polls.
import type { CallOptions, Client, Schema } from '@berth/client';
import { pages } from '@berth/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { byName } from '../shown/by-name';
import type { Topic } from './questions';
import { useAnswer } from './questions';
import type { Whole } from './whole';
import { readWhole } from './whole';

export type HostAggregate = Schema<'HostAggregate'>;
export type AvailabilityZone = Schema<'AvailabilityZone'>;
export type ServerGroup = Schema<'ServerGroup'>;
export type Flavor = Schema<'Flavor'>;
export type Image = Schema<'Image'>;
export type ComputeService = Schema<'Service'>;

const PAGE = 1_000;
const POLLED_EVERY_MS = 10_000;

interface Settings {
  readonly isNeeded?: boolean;
  readonly isPolled?: boolean;
}

type List<Page> = (query: { readonly limit: number }, options?: CallOptions) => Promise<Page>;

function useRegistry<Page extends { readonly next_marker: string | null }, Row>(
  [topic, collection, rule = `berth:scheduler:${collection}:list`]: readonly [Topic, string, rule?: string],
  listOf: (client: Client) => List<Page>,
  rowsOf: (page: Page) => readonly Row[],
  { isNeeded = true, isPolled = false }: Settings = {},
): UseQueryResult<Whole<Row>> {
  return useAnswer(
    topic,
    ['registry', collection],
    ({ scheduler }, signal) => readWhole(pages(listOf(scheduler), { limit: PAGE }, { signal }), rowsOf),
    {
      enabled: isNeeded,
      rule,
      ...(isPolled && { everyMs: POLLED_EVERY_MS }),
    },
  );
}

export const useHostAggregates = (settings?: Settings) =>
  useRegistry(
    ['registries', 'host_aggregates'],
    (client) => client.hostAggregates.list,
    (page) => page.host_aggregates,
    settings,
  );

export const useZones = (settings?: Settings) =>
  useRegistry(
    ['slow', 'availability_zones'],
    (client) => client.availabilityZones.list,
    (page) => page.availability_zones,
    settings,
  );

export const useServerGroups = (settings?: Settings) =>
  useRegistry(
    ['registries', 'server_groups'],
    (client) => client.serverGroups.list,
    (page) => page.server_groups,
    settings,
  );

export const useFlavors = (settings?: Settings) =>
  useRegistry(
    ['registries', 'flavors'],
    (client) => client.flavors.list,
    (page) => page.flavors,
    settings,
  );

/** Projects with allocations. */
export const useProjects = (settings?: Settings) =>
  useRegistry(
    ['slow', 'projects', 'berth:reports:projects'],
    (client) => client.reports.projects.list,
    (page) => page.projects,
    settings,
  );

export const useImages = (settings?: Settings) =>
  useRegistry(
    ['registries', 'images'],
    (client) => client.images.list,
    (page) => page.images,
    settings,
  );

export const useServices = (settings?: Settings) =>
  useRegistry(
    ['slow', 'services'],
    (client) => client.services.list,
    (page) => page.services,
    settings,
  );

const NONE: readonly never[] = [];

function useNames<Row extends { readonly name: string }>({ data }: UseQueryResult<Whole<Row>>): readonly string[] {
  const rows = data?.rows ?? NONE;
  return useMemo(() => rows.map(({ name }) => name).sort(byName), [rows]);
}

export const useFlavorNames = (settings?: Settings): readonly string[] => useNames(useFlavors(settings));

export const useZoneNames = (settings?: Settings): readonly string[] => useNames(useZones(settings));

/** The uuids and names of host aggregates. */
export function useHostAggregateChoices(settings?: Settings) {
  const rows = useHostAggregates(settings).data?.rows ?? NONE;
  return useMemo(
    () => rows.map(({ uuid, name }) => ({ value: uuid, label: name })).sort((a, b) => byName(a.label, b.label)),
    [rows],
  );
}

/** Names of host aggregates by uuid. */
export function useNamesOfAggregates(): ReadonlyMap<string, string> {
  const choices = useHostAggregateChoices();
  return useMemo(() => new Map(choices.map(({ value, label }) => [value, label])), [choices]);
}

/** All traits, or only those that some provider has. */
export function useTraitNames({ inUse = false, isNeeded = true } = {}): readonly string[] {
  const { data } = useAnswer(
    'registries',
    ['trait names', inUse],
    ({ placement }, signal) => placement.traits.list(inUse ? { associated: 'true' } : {}, { signal }),
    { enabled: isNeeded, rule: 'placement:traits:list' },
  );
  return useMemo(() => [...(data?.traits ?? NONE)].sort(byName), [data]);
}

export function useResourceClassNames(): readonly string[] {
  const { data } = useAnswer(
    'registries',
    ['resource class names'],
    ({ placement }, signal) => placement.resourceClasses.list({ signal }),
    { rule: 'placement:resource_classes:list' },
  );
  return useMemo(() => (data?.resource_classes ?? NONE).map(({ name }) => name).sort(byName), [data]);
}
