// Overcommit ratios in the metadata of host aggregates, which nothing reads: the capacity is that of the inventories in
// Placement. Only the legacy filters AggregateCoreFilter, AggregateRamFilter and AggregateDiskFilter read them.
import { RATIO_KEYS } from '../../scheduling-rules/filters/capacity-rules';
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import type { Advice } from './advice';
import { adviceOf, command, counted } from './advice';
import type { HostsByAggregates } from './advised-hosts';

/** A piece for each key that no enabled filter reads. */
export function aggregateRatios(
  aggregates: readonly HostAggregate[],
  hosts: HostsByAggregates,
  isEnabled: (filter: string) => boolean,
): readonly Advice[] {
  return RATIO_KEYS.filter(({ filter }) => !isEnabled(filter)).flatMap(({ key, resourceClass }) => {
    const having = aggregates.filter(({ metadata }) => key in metadata);
    if (having.length === 0) return [];
    return adviceOf({
      kind: 'aggregate_ratio_without_effect',
      severity: 'warning',
      sentence:
        `${counted(having.length, 'host aggregate')} ${having.length === 1 ? 'has' : 'have'} the key ${key}, which has ` +
        `no effect: the ratio is that of the ${resourceClass} inventories. The commands remove the key; the others set ` +
        `its value on the inventories of the hosts.`,
      subjects: having.map(({ uuid, name }) => ({ kind: 'host_aggregate', id: uuid, name })),
      commands: having.map(({ name }) => command('openstack', 'aggregate', 'unset', '--property', key, name)),
      alternatives: [...hosts].flatMap(([own, them]) => {
        const ratio = own.find(({ metadata }) => key in metadata)?.metadata[key];
        if (ratio === undefined) return [];
        const amended = ['--amend', '--resource', `${resourceClass}:allocation_ratio=${ratio}`];
        return them.map(({ uuid }) =>
          command('openstack', 'resource', 'provider', 'inventory', 'set', ...amended, uuid),
        );
      }),
    });
  });
}
