// Whose things a caller of the facade sees and changes: everybody's, or those of one project.
import type { Principal } from '../auth/principal';
import type { RequestContext } from '../http/request-context';

export interface FacadeCaller {
  readonly userId: string;
  /** Null: of no project. */
  readonly projectId: string | null;
  /** Sees and changes what belongs to others. */
  readonly isAdmin: boolean;
}

const ADMIN_ROLES: ReadonlySet<string> = new Set(['admin', 'service']);

/** An administrator, or a service, as the default policies have them. */
export const isAdministrator = ({ roles }: Principal): boolean =>
  roles.some((role) => ADMIN_ROLES.has(role.toLowerCase()));

/** Of a request that somebody was let in with. */
export function callerOf({ principal, path }: Pick<RequestContext, 'principal' | 'path'>): FacadeCaller {
  if (principal === undefined) throw new Error(`${path} has no caller`);
  const { userId, projectId } = principal;
  return { userId, projectId, isAdmin: isAdministrator(principal) };
}
