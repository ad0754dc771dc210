// The reports by the names that pages use for their documents, whose types are those of the API document.
import type { Answer, Client, Query } from '@berth/client';

export type CapacityReport = Answer<'/reports/capacity'>;
export type CapacityGroup = CapacityReport['groups'][number];
export type GroupFigures = CapacityGroup['resource_classes'][string];
export type HostsQuery = Query<'/reports/hosts'>;
type HostsReport = Answer<'/reports/hosts'>;
export type HostRow = HostsReport['hosts'][number];
export type HostStatus = HostRow['status'];
export type Named = HostRow['host_aggregates'][number];
export type ClassFigures = HostRow['resource_classes'][string];
export type HostReport = Answer<'/reports/hosts/{uuid}'>;
export type ProviderNode = HostReport['tree'];
export type InventoryFigures = ProviderNode['resource_classes'][string];
export type HostConsumer = HostReport['consumers'][number];
export type MapReport = Answer<'/reports/map'>;
export type FlavorsReport = Answer<'/reports/flavors'>;
export type RefusalsReport = Answer<'/reports/refusals'>;
export type AdviceReport = Answer<'/reports/advice'>;

export function reportsOf({ reports }: Client) {
  return {
    capacity: (query: Query<'/reports/capacity'> = {}, signal?: AbortSignal) => reports.capacity(query, { signal }),
    hosts: (query: HostsQuery = {}, signal?: AbortSignal) => reports.hosts.list(query, { signal }),
    host: (uuid: string, signal?: AbortSignal) => reports.hosts.get(uuid, { signal }),
    map: (query: Query<'/reports/map'> = {}, signal?: AbortSignal) => reports.map(query, { signal }),
    flavors: (query: Query<'/reports/flavors'> = {}, signal?: AbortSignal) => reports.flavors(query, { signal }),
    refusals: (query: Query<'/reports/refusals'> = {}, signal?: AbortSignal) => reports.refusals(query, { signal }),
    advice: (signal?: AbortSignal) => reports.advice({ signal }),
  };
}

export type Reports = ReturnType<typeof reportsOf>;
