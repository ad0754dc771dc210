// The default driver: filters, weighers, then the selection among the best hosts.

import { defineDriver } from '../pipeline/define-driver';
import { filterTask } from '../pipeline/run-filters';
import { weigherTask } from '../pipeline/run-weighers';
import { selectHost } from '../pipeline/select-host';

export const filterSchedulerDriver = defineDriver({
  name: 'filter_scheduler',
  summary: 'Rejects hosts by the enabled filters and orders the others by the enabled weighers.',
  *rank({ hosts, spec, index, mode, filters, weighers, selection, random, env }) {
    const { survivors, stages, notes } = yield* filterTask({ hosts, spec, filters, index, mode, env });
    const { ranking, weighers: records } = yield* weigherTask(weighers, survivors, spec, env);
    const { order, drawnFrom } = selectHost(ranking, selection, random);
    return { stages, notes, weighers: records, order, drawnFrom };
  },
});
