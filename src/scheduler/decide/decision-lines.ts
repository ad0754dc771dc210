// The log lines of a decision: one for each filter, in nova's words, which operators search their logs for, and the
// sentence of the decision. Pure.

import type { Decision } from '../../scheduling-rules/pipeline/decision';
import type { SchedulingRefusal } from './refused';

interface DecisionLine {
  readonly level: 'info' | 'debug';
  readonly message: string;
  readonly fields: object;
}

interface LineOptions {
  /** Whether lines of level debug are written. */
  readonly isDebug: boolean;
  /** The call was a question (it claimed nothing), so all lines have level debug. */
  readonly isQuestion: boolean;
}

/**
 * In the order in which they happened. Every filter that judged hosts has its line, as in nova's log: at level info if it
 * removed hosts, otherwise at level debug.
 */
export function* decisionLines(
  decision: Decision,
  refusal: SchedulingRefusal | null,
  { isDebug, isQuestion }: LineOptions,
): Iterable<DecisionLine> {
  if (isQuestion && !isDebug) return;
  for (const { index, stages } of decision.passes) {
    for (const { kind, name, in: entered, out, rejected } of stages) {
      if (kind !== 'filter' || entered === 0) continue;
      const level = isQuestion || rejected.length === 0 ? 'debug' : 'info';
      if (level === 'debug' && !isDebug) continue;
      const fields = { filter: name, hosts: out, removed: rejected.length, instance: index };
      yield { level, message: `Filter ${name} returned ${out} host(s)`, fields };
    }
  }
  // Unexpected errors and overload are logged where the request is answered.
  const { outcome, code } = decision;
  if (code === 'scheduler.unavailable' || code === 'scheduler.search_gave_up') return;
  const level = isQuestion || refusal === null ? 'debug' : 'info';
  if (level === 'debug' && !isDebug) return;
  yield {
    level,
    message: refusal?.message ?? decision.summary.sentence,
    fields: { outcome, ...(code !== null && { code }) },
  };
}
