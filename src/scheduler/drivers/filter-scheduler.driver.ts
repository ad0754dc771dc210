// The default driver: filters, then weighers, then the pick among the best.

import { defineDriver } from '../pipeline/define-driver';
import { runFilters } from '../pipeline/run-filters';
import { runWeighers } from '../pipeline/run-weighers';
import { selectHost } from '../pipeline/select-host';

export const filterSchedulerDriver = defineDriver({
  name: 'filter_scheduler',
  summary: 'Rejects hosts by the enabled filters and orders the others by the enabled weighers.',
  rank: ({ hosts, spec, index, mode, filters, weighers, selection, random, env }) => {
    const { survivors, stages, notes } = runFilters({ hosts, spec, filters, index, mode, env });
    const { ranking, weighers: records } = runWeighers(weighers, survivors, spec, env);
    const { order, drawnFrom } = selectHost(ranking, selection, random);
    return { stages, notes, weighers: records, order, drawnFrom };
  },
});
