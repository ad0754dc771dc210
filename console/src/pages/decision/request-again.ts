// Turns the request of a decision into a new request. Drops the decision's own remarks and the instance uuids, because
// those instances can exist by now; keeps their number.
import type { Body } from '@berth/client';
import type { UnderstoodRequest } from './decision-document';

export type RequestBody = Body<'/scheduler/explain', 'post'>;

export function requestAgain(request: UnderstoodRequest): RequestBody {
  const { ignored: _said, instances: _placed, instance_group: group, scheduler_hints: hints, ...rest } = request;
  // The service accepts its own document back unchanged, but the response type is looser than the request type.
  const asked = rest as Omit<RequestBody, 'instance_group' | 'scheduler_hints'>;
  if (group === null) return { ...asked, instance_group: null, scheduler_hints: hints };
  // The hint has the group as the client wrote it, the request has its uuid; the service requires both to be equal. A
  // registered group is sent by uuid, so its current members count.
  const { group: _named, ...others } = hints;
  return { ...asked, instance_group: group.uuid ?? group, scheduler_hints: others };
}

/** Address of the "What if" page for the request: the body is base64url of JSON. */
export const whatIfPath = (body: RequestBody): string => `/what-if?request=${base64Url(JSON.stringify(body))}`;

export function base64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
