// Routed networks: restricts the request to the segments of its networks. The request contains the segments'
// aggregates; the prefilter looks up nothing.

import { boolean } from '../../platform/values/options';
import { definePrefilter } from '../pipeline/define-prefilter';
import type { RequestedNetwork } from '../request-spec/request-spec';

/** An entry without ids is skipped; nova would use the aggregates of the preceding entry. */
const isNamed = ({ portId, networkId }: RequestedNetwork): boolean => portId !== null || networkId !== null;

/** The object that was not found: the subnet of a port, or the network. */
const soughtFor = ({ portId, networkId }: RequestedNetwork): string =>
  portId === null ? `network ${networkId ?? ''}` : `subnet of port ${portId}`;

export const routedNetworksPrefilter = definePrefilter({
  name: 'RoutedNetworksPrefilter',
  summary: 'Requires, for each requested network, membership in an aggregate of its segments.',
  options: {
    query_placement_for_routed_network_aggregates: boolean(
      false,
      'Ask for hosts in the aggregates of the requested networks’ segments.',
      { group: 'scheduler' },
    ),
  },
  refusals: { no_aggregates: 'Aggregates not found for the {sought}' },
  reads: ['requested_networks'],
  apply: ({ requestedNetworks }, { options, add, nothing, refuse }) => {
    if (!options.query_placement_for_routed_network_aggregates) return nothing('switched off');
    if (requestedNetworks === null) return nothing('the requested networks are not known');
    const named = requestedNetworks.filter(isNamed);
    const missing = named.find(({ aggregates }) => aggregates === null);
    if (missing !== undefined) return refuse('no_aggregates', { sought: soughtFor(missing) });
    const sets = named.map(({ aggregates }) => aggregates ?? []).filter((set) => set.length > 0);
    if (sets.length === 0) return nothing('no requested network has segments');
    return add(
      { memberOf: sets },
      `segments of ${sets.length} requested ${sets.length === 1 ? 'network' : 'networks'}`,
    );
  },
});
