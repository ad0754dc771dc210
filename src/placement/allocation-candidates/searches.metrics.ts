// Metrics of searches for allocation candidates: time per stage, candidates found, answers cut.
import { SEARCH_ASKERS, SEARCH_CUTS, SEARCH_STAGES } from './search-tally';
import type { SearchTally } from './search-tally';
import { turns } from '../../platform/event-loop/turns';
import { counter, gauge, histogram, one } from '../../platform/metrics/family';
import type { MetricFamily } from '../../platform/metrics/family';

const ASKER = '`placement` (its API), `scheduler`, or `explain`';

export const searchMetrics = (tally: SearchTally): readonly MetricFamily[] => [
  histogram({
    name: 'berth_search_stage_duration_seconds',
    help: 'Time of each stage of a search, waiting for its turns included.',
    labels: { stage: '`refresh` (the graph is brought up to date), `names` (looked up), `search`, `explain`' },
    read: () => SEARCH_STAGES.map((stage) => ({ labels: { stage }, distribution: tally.stages[stage] })),
  }),
  histogram({
    name: 'berth_search_candidates',
    help: 'Candidates that a search found; its count is the number of searches.',
    labels: { asker: ASKER },
    read: () => SEARCH_ASKERS.map((asker) => ({ labels: { asker }, distribution: tally.askers[asker].candidates })),
  }),
  counter({
    name: 'berth_search_cut_total',
    help: 'Searches whose answer may lack candidates.',
    labels: { asker: ASKER, reason: '`maximum` (of candidates), `work` (of one search), `bytes` (of the answer)' },
    read: () =>
      SEARCH_ASKERS.flatMap((asker) =>
        SEARCH_CUTS.map((reason) => ({ labels: { asker, reason }, value: tally.askers[asker].cuts[reason].count })),
      ),
  }),
  gauge('sum', {
    name: 'berth_turns_waiting',
    help: 'Pieces of long work that wait for their next turn of the event loop.',
    read: () => one(turns.waiting),
  }),
];
