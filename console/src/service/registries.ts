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

/** The hook that reads a registry. Its answers have the rows under the name of the collection. */
function registry<
  Name extends string,
  Page extends { readonly next_marker: string | null } & Readonly<Record<Name, readonly unknown[]>>,
>(
  topic: Topic,
  name: Name,
  callsOf: (client: Client) => { readonly list: List<Page> },
  rule = `berth:scheduler:${name}:list`,
) {
  return function useRegistry({ isNeeded = true, isPolled = false }: Settings = {}) {
    return useAnswer(
      topic,
      ['registry', name],
      ({ scheduler }, signal): Promise<Whole<Page[Name][number]>> =>
        readWhole(pages(callsOf(scheduler).list, { limit: PAGE }, { signal }), (page) => page[name]),
      { enabled: isNeeded, rule, ...(isPolled && { everyMs: POLLED_EVERY_MS }) },
    );
  };
}

export const useHostAggregates = registry('registries', 'host_aggregates', (client) => client.hostAggregates);
export const useZones = registry('slow', 'availability_zones', (client) => client.availabilityZones);
export const useServerGroups = registry('registries', 'server_groups', (client) => client.serverGroups);
export const useFlavors = registry('registries', 'flavors', (client) => client.flavors);
export const useImages = registry('registries', 'images', (client) => client.images);
export const useServices = registry('slow', 'services', (client) => client.services);
export const usePlans = registry('registries', 'plans', ({ scheduler }) => scheduler.plans);
/** Projects with allocations. */
export const useProjects = registry('slow', 'projects', ({ reports }) => reports.projects, 'berth:reports:projects');

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
