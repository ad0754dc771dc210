// An error in the service's own words, with its code and request id.
import { Refusal, Unanswered, Unreachable } from '@berth/client';

interface Fault {
  readonly title: string;
  readonly detail: string;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
}

export function faultOf(error: unknown): Fault {
  if (error instanceof Refusal) {
    return { title: titleOf(error.status), detail: error.detail, code: error.code, requestId: error.requestId };
  }
  if (error instanceof Unreachable || error instanceof Unanswered) {
    return { title: 'The service cannot be reached', detail: error.message, code: undefined, requestId: undefined };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { title: 'Something went wrong', detail, code: undefined, requestId: undefined };
}

function titleOf(status: number): string {
  if (status === 401) return 'Not logged in any more';
  if (status === 403) return 'Not allowed';
  if (status === 404) return 'Not found';
  if (status === 409) return 'Another request changed it, or it conflicts with another object';
  if (status === 429) return 'Too many requests at once';
  if (status >= 500) return 'The service could not do it';
  return 'The service refused it';
}
