// Aliases for the report types of the API document.
import type { Answer, Query } from '@berth/client';

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
export type ListedInstance = Answer<'/reports/instances'>['instances'][number];
export type MapReport = Answer<'/reports/map'>;
export type FlavorsReport = Answer<'/reports/flavors'>;
export type RefusalsReport = Answer<'/reports/refusals'>;
export type HistoryReport = Answer<'/reports/history'>;
export type AdviceReport = Answer<'/reports/advice'>;
