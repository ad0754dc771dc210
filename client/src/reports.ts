// Reports: what the cloud has, where it is, and what keeps more from fitting. They change nothing.
import type { Calls } from './calls.ts';

export const reportsOf = (calls: Calls) => ({
  /** By groups of hosts; in pages. */
  capacity: calls.list('/reports/capacity'),
  /** In pages. */
  flavors: calls.list('/reports/flavors'),
  hosts: {
    /** In pages, as those of the registries. */
    list: calls.list('/reports/hosts'),
    /** By any provider of its tree. */
    get: calls.plain('get', '/reports/hosts/{uuid}'),
  },
  /** All hosts, as short as they can be said. */
  map: calls.list('/reports/map'),
});
