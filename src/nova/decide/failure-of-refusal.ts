// The exception of nova for each refusal. The conductor treats it as nova-scheduler's: NoValidHost leaves a moved
// instance as it was, while an unknown exception puts some instances into the state ERROR.

import type { SchedulingRefusal } from '../../scheduler/decide/refused';
import type { NovaFailure } from '../objects/failure';
import { allocationUpdateFailed, noValidHost, runtimeError } from '../objects/failure';

interface RefusedCall {
  readonly refusal: Pick<SchedulingRefusal, 'code'>;
  /** The sentence for tenants. */
  readonly userMessage: string;
  readonly requestId: string;
  readonly instanceUuid: string;
}

/** Refusals that a later attempt can avoid. */
export const isTemporary = ({ code }: Pick<SchedulingRefusal, 'code'>): boolean =>
  code === 'scheduler.unavailable' || code === 'scheduler.too_many_requests';

/** The text reaches tenants, so it names no hosts. Operators find the decision by the request id. */
export function failureOfRefusal({ refusal, userMessage, requestId, instanceUuid }: RefusedCall): NovaFailure {
  const text = `${userMessage} (request ${requestId})`.replace(/\s+/g, ' ');
  if (refusal.code === 'scheduler.generation_conflict') return allocationUpdateFailed(instanceUuid, text);
  return isTemporary(refusal) ? runtimeError(text) : noValidHost(text);
}
