// Whose things a caller of the facade sees and changes: everybody's, or those of one project.
import type { RequestContext } from '../http/request-context';

export interface FacadeCaller {
  readonly userId: string;
  /** Null: of no project. */
  readonly projectId: string | null;
  /** Sees and changes what belongs to others. */
  readonly isAdmin: boolean;
}

/** Of a request that somebody was let in with. */
export function callerOf({
  principal,
  isForOthers,
  path,
}: Pick<RequestContext, 'principal' | 'isForOthers' | 'path'>): FacadeCaller {
  if (principal === undefined) throw new Error(`${path} has no caller`);
  const { userId, projectId } = principal;
  return { userId, projectId, isAdmin: isForOthers };
}
