// The lines of the log that a decision leaves: the filters that removed hosts, in nova's words, which is what operators
// search their logs for, and the sentence of the decision. Pure; a placement makes its lines for a debug log only.

import type { Decision } from '../../scheduling/pipeline/decision';
import type { SchedulingRefusal } from './refused';

interface DecisionLine {
  readonly level: 'info' | 'debug';
  readonly message: string;
  readonly fields: object;
}

interface LineOptions {
  /** Whether lines of level debug are written at all. */
  readonly isDebug: boolean;
  /** Nothing was claimed, whatever came out: a question, of which the log tells at level debug. */
  readonly isQuestion: boolean;
}

/** In the order in which things happened. */
export function* decisionLines(
  decision: Decision,
  refusal: SchedulingRefusal | null,
  { isDebug, isQuestion }: LineOptions,
): Iterable<DecisionLine> {
  if (!isDebug && (refusal === null || isQuestion)) return;
  const level = refusal === null || isQuestion ? 'debug' : 'info';
  for (const { index, stages } of decision.passes) {
    for (const { kind, name, out, rejected } of stages) {
      if (kind !== 'filter' || rejected.length === 0) continue;
      const filterLevel = out === 0 ? level : 'debug';
      if (filterLevel === 'debug' && !isDebug) continue;
      const fields = { filter: name, hosts: out, removed: rejected.length, instance: index };
      yield { level: filterLevel, message: `Filter ${name} returned ${out} host(s)`, fields };
    }
  }
  // What is broken or busy was told at its own level where it is answered.
  const { outcome, code } = decision;
  if (code === 'scheduler.unavailable' || code === 'scheduler.search_gave_up') return;
  yield {
    level,
    message: refusal?.message ?? decision.summary.sentence,
    fields: { outcome, ...(code !== null && { code }) },
  };
}
