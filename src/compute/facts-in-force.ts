// Hosts, services and host aggregates of another source than the registries, in the form in which the registries are
// read. Its rows have no generation: only the source changes them.
import { Injectable } from '@nestjs/common';
import { byText } from '../platform/values/text-order';
import type { HostAggregateFacts, ServiceFacts } from '../scheduling-rules/host-state/host-facts';
import { ZONE_KEY } from '../scheduling-rules/host-state/host-state';
import type { RegisteredAggregate } from './host-aggregates/host-aggregate.entity';
import type { Page, PageQuery, TextFilter } from './registry-page';
import { pageIn } from './registry-page.sql';
import { serviceStateOf } from './services/service-liveness';
import type { ServiceStatusFilter } from './services/services.sql';

export interface FactsSource {
  changesSince(version: 0): {
    readonly services: readonly ServiceFacts[];
    readonly aggregates: readonly HostAggregateFacts[];
  };
}

/** Null: the registries are read. The module of another source sets it at the start. */
@Injectable()
export class FactsInForce {
  source: FactsSource | null = null;
}

export const ALL: PageQuery = { limit: Infinity, marker: undefined };
export const ONE: PageQuery = { limit: 1, marker: undefined };

export const UNWRITTEN = { generation: 0, updatedAtMs: null } as const;

/** The zone of each host that has one. */
export const zonesOf = (aggregates: readonly HostAggregateFacts[]): ReadonlyMap<string, string> =>
  new Map(
    aggregates.flatMap(({ hosts, metadata }) => {
      const zone = metadata[ZONE_KEY];
      return zone === undefined ? [] : hosts.map((host): [string, string] => [host, zone]);
    }),
  );

export function servicesIn(facts: FactsSource, filter: ServiceStatusFilter, page: PageQuery) {
  const { services, aggregates } = facts.changesSince(0);
  const zones = zonesOf(aggregates);
  const shown = [...services].sort(byText(({ host }) => host)).map(({ id, host, service, hosts }) => ({
    rowId: id,
    host,
    ...service,
    ...UNWRITTEN,
    refusedAtMs: null,
    refusal: null,
    zone: zones.get(host) ?? null,
    nodes: hosts.map(({ node }) => node),
  }));
  const isFound = (each: (typeof shown)[number]): boolean => matchesService(each, each, zones, filter);
  return pageIn(shown, ({ host }) => host, page, isFound);
}

export function aggregatesIn(
  facts: FactsSource,
  filter: TextFilter<'name' | 'host' | 'zone'>,
  page: PageQuery,
): Page<RegisteredAggregate> {
  const shown = facts.changesSince(0).aggregates.map(({ id, hosts, ...aggregate }) => ({
    ...aggregate,
    rowId: id,
    hosts: [...hosts].sort(),
    createdAtMs: 0,
    ...UNWRITTEN,
  }));
  const isFound = ({ name, hosts, metadata }: RegisteredAggregate): boolean =>
    (filter.name ?? name) === name &&
    (filter.host === undefined || hosts.includes(filter.host)) &&
    (filter.zone === undefined || metadata[ZONE_KEY] === filter.zone);
  return pageIn(shown, ({ uuid }) => uuid, page, isFound);
}

export function matchesService(
  { host }: { readonly host: string },
  service: ServiceFacts['service'],
  zones: ReadonlyMap<string, string>,
  { host: wantedHost = host, isDisabled, isForcedDown, state, zone }: ServiceStatusFilter,
): boolean {
  if (wantedHost !== host) return false;
  if ((isDisabled ?? service.disabled) !== service.disabled) return false;
  if ((isForcedDown ?? service.forcedDown) !== service.forcedDown) return false;
  if (state && serviceStateOf(service, state.nowMs, state.downSeconds) !== state.requestedState) return false;
  return zone === undefined || (zones.get(host) ?? (zone.isDefault ? zone.name : undefined)) === zone.name;
}
