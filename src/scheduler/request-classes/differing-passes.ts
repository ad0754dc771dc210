// Compares the pass over kept hosts with one that asked every host anew.
import { rejectionsByCode } from '../../scheduling-rules/pipeline/run-filters';
import type { BatchPass } from '../claim/batch-pass';

/** Hosts of a ranking that are compared. */
const COMPARED = 100;

/** What differs, for the log; null: nothing. */
export function differingPasses(
  kept: BatchPass,
  anew: BatchPass,
): { readonly kept: object; readonly anew: object } | null {
  const [one, other] = [shown(kept), shown(anew)];
  return JSON.stringify(one) === JSON.stringify(other) ? null : { kept: one, anew: other };
}

const shown = ({ stages, answer, ranked }: BatchPass): object => ({
  stages: stages.map((stage) => [
    stage.name,
    stage.in,
    stage.out,
    Object.entries(rejectionsByCode(stage)).sort(([one], [other]) => (one < other ? -1 : 1)),
  ]),
  ranked: ranked ?? answer.order.length,
  best: answer.order
    .slice(0, COMPARED)
    .map(({ state, weight }) => [state.host, state.node, weight, state.candidates.length]),
});
