// The caller of a request to the practice cloud: it can see and change all resources, or only those of one project.
import type { RequestContext } from '../platform/http/request-context';

export interface PracticeCaller {
  readonly userId: string;
  /** Null if the caller has no project. */
  readonly projectId: string | null;
  /** Can see and change the resources of other projects. */
  readonly isAdmin: boolean;
}

/** The caller of an authenticated request. */
export function callerOf({
  principal,
  isForOthers,
  path,
}: Pick<RequestContext, 'principal' | 'isForOthers' | 'path'>): PracticeCaller {
  if (principal === undefined) throw new Error(`${path} has no caller`);
  const { userId, projectId } = principal;
  return { userId, projectId, isAdmin: isForOthers };
}
