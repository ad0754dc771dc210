// Reports: what the cloud has, where it is, and what keeps more from fitting. They change nothing.
import type { Calls } from './calls.ts';

export const reportsOf = (calls: Calls) => ({
  hosts: {
    /** In pages, as those of the registries. */
    list: calls.list('/reports/hosts'),
  },
});
