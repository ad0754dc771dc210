// Presents the answer to a simulated request: the same as for select_destinations, for every outcome.
import type { Decided } from '../decide/decision-run';
import { presentDecision } from '../decisions/decision.presenter';
import type { ExplainLevel } from '../request/request.schema';
import type { SelectionsContext } from '../scheduler.presenter';
import { presentSelections } from '../scheduler.presenter';

export function presentSimulation(
  { decision, placements, refusal }: Decided,
  {
    level,
    options,
    warnings,
  }: { readonly level: ExplainLevel; readonly options: SelectionsContext; readonly warnings: readonly string[] },
): object {
  return {
    request_id: decision.requestId,
    outcome: decision.outcome,
    ...(refusal !== null && { code: refusal.code, message: refusal.message }),
    ...(warnings.length > 0 && { warnings }),
    selections: presentSelections(placements, options),
    ...(level !== 'none' && { decision: presentDecision(decision, { level }) }),
  };
}
