// The request of a decision as it can be asked again: without what the decision said about it, and for as many
// instances without naming those that may exist by now.
import type { Body } from '@berth/client';
import type { UnderstoodRequest } from './decision-document';

export type RequestBody = Body<'/scheduler/explain', 'post'>;

export function requestAgain(request: UnderstoodRequest): RequestBody {
  const { ignored: _said, instances: _placed, instance_group: group, scheduler_hints: hints, ...rest } = request;
  // A document of the service's own, which it takes back as it wrote it; its type says less of the parts that are made
  // by the service than the request's does.
  const asked = rest as Omit<RequestBody, 'instance_group' | 'scheduler_hints'>;
  if (group === null) return { ...asked, instance_group: null, scheduler_hints: hints };
  // The hint names the group as somebody wrote it, the request by its uuid; both would have to be the same. A group that
  // is registered is named, so that its members of now count.
  const { group: _named, ...others } = hints;
  return { ...asked, instance_group: group.uuid ?? group, scheduler_hints: others };
}

/** Where "What if" shows the request: its body in the address, as base64url of JSON. */
export const whatIfAddress = (request: UnderstoodRequest): string =>
  `/what-if?request=${base64Url(JSON.stringify(requestAgain(request)))}`;

export function base64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
