// The default driver: filters, weighers, then the selection among the best hosts.

import { defineDriver } from '../pipeline/define-driver';
import { walkFilters } from '../pipeline/run-filters';
import { walkWeighers } from '../pipeline/run-weighers';
import { selectHost } from '../pipeline/select-host';

export const filterSchedulerDriver = defineDriver({
  name: 'filter_scheduler',
  summary: 'Rejects hosts by the enabled filters and orders the others by the enabled weighers.',
  rank: function* ({ hosts, spec, index, mode, filters, weighers, selection, random, env }) {
    const { survivors, stages, notes } = yield* walkFilters({ hosts, spec, filters, index, mode, env });
    const { ranking, weighers: records } = yield* walkWeighers(weighers, survivors, spec, env);
    const { order, drawnFrom } = selectHost(ranking, selection, random);
    return { stages, notes, weighers: records, order, drawnFrom };
  },
});
