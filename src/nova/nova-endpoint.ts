// The methods of nova-scheduler: one call, and casts about host aggregates and instances.

import type { PolledNovaFacts } from './cells/polled-nova-facts';
import type { NovaScheduler } from './decide/nova-scheduler';
import { deletedInstanceOf, syncedInstancesOf, updatedInstancesOf } from './objects/cast-views';
import type { RpcEndpoint } from './rpc/rpc-methods';

/** Since release 17, conductors send this version only. */
const SELECT_VERSION = '4.5';

type CastFacts = Pick<PolledNovaFacts, 'readAggregatesAgain' | 'updateInstances' | 'deleteInstance' | 'syncInstances'>;

export const novaEndpoint = (scheduler: Pick<NovaScheduler, 'selectDestinations'>, facts: CastFacts): RpcEndpoint => ({
  namespace: null,
  version: SELECT_VERSION,
  oldest: { select_destinations: SELECT_VERSION },
  calls: {
    select_destinations: (args, context, signal) => scheduler.selectDestinations(args, context, signal),
  },
  casts: {
    update_aggregates: () => facts.readAggregatesAgain(),
    delete_aggregate: () => facts.readAggregatesAgain(),
    update_instance_info: (args) => {
      const { host, instanceUuids } = updatedInstancesOf(args);
      facts.updateInstances(host, instanceUuids);
    },
    delete_instance_info: (args) => {
      const { host, instanceUuids } = deletedInstanceOf(args);
      for (const uuid of instanceUuids) facts.deleteInstance(host, uuid);
    },
    sync_instance_info: (args) => {
      const { host, instanceUuids } = syncedInstancesOf(args);
      facts.syncInstances(host, instanceUuids);
    },
  },
});
