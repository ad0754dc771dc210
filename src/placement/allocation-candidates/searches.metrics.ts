// Metrics of searches for allocation candidates: time per stage, candidates found, answers cut.
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { MetricFamily } from '../../platform/metrics/family';
import { counter, gauge, histogram, one } from '../../platform/metrics/family';
import type { SearchCounters } from './search-counters';
import { CALLER_KINDS, SEARCH_CUTS, SEARCH_STAGES } from './search-counters';

const CALLER = '`placement` (its API), `scheduler`, or `explain`';

export const searchMetrics = (counters: SearchCounters): readonly MetricFamily[] => [
  histogram({
    name: 'berth_search_stage_duration_seconds',
    help: 'Time of each stage of a search, including pauses.',
    labels: { stage: '`refresh` (the graph is brought up to date), `names` (looked up), `search`, `explain`' },
    read: () => SEARCH_STAGES.map((stage) => ({ labels: { stage }, distribution: counters.stages[stage] })),
  }),
  histogram({
    name: 'berth_search_candidates',
    help: 'Candidates of a search. The count is the number of searches.',
    labels: { caller: CALLER },
    read: () =>
      CALLER_KINDS.map((caller) => ({ labels: { caller }, distribution: counters.callers[caller].candidates })),
  }),
  counter({
    name: 'berth_search_cut_total',
    help: 'Searches whose answer can lack candidates.',
    labels: { caller: CALLER, reason: '`maximum` (of candidates), `work` (of one search), `bytes` (of the answer)' },
    read: () =>
      CALLER_KINDS.flatMap((caller) =>
        SEARCH_CUTS.map((reason) => ({
          labels: { caller, reason },
          value: counters.callers[caller].cuts[reason].count,
        })),
      ),
  }),
  gauge({
    name: 'berth_turns_waiting',
    help: 'Long tasks that wait for the event loop.',
    read: () => one(tasks.waiting),
  }),
];
