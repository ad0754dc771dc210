// The conditions of a list of hosts. A host must meet all that the query has.
import { queryFault } from '../../platform/values/field-fault';
import { canonicalUuid } from '../../platform/values/uuid';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { Cloud } from '../../scheduler/cloud/cloud-reader';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import { classSum, traitsOf } from '../../scheduler/cloud/tree-sums';
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import type { ReportQuery } from '../report-query';
import type { StrandedAmounts } from '../stranded/stranded-amounts';

export type HostFilter = ReturnType<typeof hostFilterOf>;

export function hostFilterOf(query: ReportQuery) {
  const traits = query.all('trait');
  const zone = query.one('availability_zone');
  return {
    /** Part of the name, in lower case. */
    name: query.one('name')?.toLowerCase(),
    traits: traits.filter((trait) => !trait.startsWith('!')),
    forbiddenTraits: traits.filter((trait) => trait.startsWith('!')).map((trait) => trait.slice(1)),
    /** By name or uuid. */
    hostAggregate: query.one('host_aggregate'),
    placementAggregate: query.uuid('placement_aggregate'),
    /** Null: in none. */
    zone: zone === '' ? null : zone,
    resourceClass: query.one('resource_class'),
    /** None: any. */
    statuses: query.choices('status', HOST_STATUSES),
    flavor: query.one('flavor'),
    /** A resource class of which the host has a stranded amount. */
    stranded: query.one('stranded'),
  };
}

/**
 * All conditions except the flavor, which needs its own search. While stranded amounts are unknown, no host has one.
 * Throws InvalidInput for an unknown host aggregate.
 */
export function hostTest(
  filter: HostFilter,
  { hostAggregates }: Pick<Cloud, 'hostAggregates'>,
  strandedAmounts: StrandedAmounts | null,
): (host: CloudHost) => boolean {
  const { name, traits, forbiddenTraits, placementAggregate, zone, resourceClass, statuses, stranded } = filter;
  const tests: ((host: CloudHost) => boolean)[] = [];
  if (name !== undefined) tests.push(({ tree }) => tree.root.name.toLowerCase().includes(name));
  if (statuses.length > 0) tests.push(({ status }) => statuses.includes(status));
  if (zone !== undefined) tests.push((host) => host.zone === zone);
  if (filter.hostAggregate !== undefined) {
    const { uuid } = aggregateNamed(filter.hostAggregate, hostAggregates);
    tests.push(({ known }) => known.aggregates.some((aggregate) => aggregate.uuid === uuid));
  }
  if (placementAggregate !== undefined) tests.push(({ tree }) => tree.aggregates.includes(placementAggregate));
  if (resourceClass !== undefined) tests.push(({ tree }) => classSum(tree.providers, resourceClass) !== undefined);
  if (stranded !== undefined) {
    tests.push(({ tree }) => (strandedAmounts?.of(tree.root.id, stranded)?.amount ?? 0) > 0);
  }
  if (traits.length + forbiddenTraits.length > 0) {
    tests.push(({ tree }) => {
      const has = traitsOf(tree);
      return traits.every((trait) => has.has(trait)) && !forbiddenTraits.some((trait) => has.has(trait));
    });
  }
  return (host) => tests.every((test) => test(host));
}

function aggregateNamed(text: string, aggregates: readonly HostAggregate[]): HostAggregate {
  const named = canonicalUuid(text);
  const found = aggregates.find(({ uuid }) => uuid === named) ?? aggregates.find(({ name }) => name === text);
  if (found === undefined) throw queryFault('host_aggregate', `names no host aggregate: '${text}'`);
  return found;
}
