// Reports: what the cloud has, where it is, and what keeps more from fitting. They change nothing.
import type { Calls } from './calls.ts';
import { changes } from './changes.ts';
import type { ChangeEvent, ChangesOptions } from './changes.ts';

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
  /** What changes, as it happens; goes on over streams that end until the signal of the options ends it. */
  changes: (options?: ChangesOptions): AsyncGenerator<ChangeEvent, void> => changes(calls, options),
  /** What is not as it should be, and the commands that mend it. */
  advice: calls.plain('get', '/reports/advice'),
  /** Why decisions of the last hours placed nothing. */
  refusals: calls.list('/reports/refusals'),
});
