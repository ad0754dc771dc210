// Reports: what the cloud has, where it is, and what keeps more from fitting. They change nothing.
import type { Calls } from './calls.ts';
import { changes } from './changes.ts';
import type { ChangeEvent, ChangesOptions } from './changes.ts';

export const reportsOf = (calls: Calls) => ({
  hosts: {
    /** In pages, as those of the registries. */
    list: calls.list('/reports/hosts'),
  },
  /** What changes, as it happens; goes on over streams that end until the signal of the options ends it. */
  changes: (options?: ChangesOptions): AsyncGenerator<ChangeEvent, void> => changes(calls, options),
  /** What is not as it should be, and the commands that mend it. */
  advice: calls.plain('get', '/reports/advice'),
  /** Why decisions of the last hours placed nothing. */
  refusals: calls.list('/reports/refusals'),
});
