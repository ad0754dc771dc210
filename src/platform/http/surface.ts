import type { MountedApi } from './mounted-api';
import { isAtOrBelow, mountOf } from './mounted-api';

/** The family of routes that a path belongs to; they differ in authentication, versions and prefix. */
export type Surface = 'placement' | 'scheduler' | 'reports' | 'console' | 'operations' | 'practice_cloud';

/** Public: probes of load balancers and supervisors. */
export const FREE_OPERATIONS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** Without authentication for callers on this machine. */
const GUARDED_OPERATIONS: ReadonlySet<string> = new Set(['/metrics']);

export function surfaceOf(path: string, mounts: readonly MountedApi[]): Surface {
  if (mountOf(path, mounts) !== undefined) return 'practice_cloud';
  if (isAtOrBelow(path, '/scheduler')) return 'scheduler';
  if (isAtOrBelow(path, '/reports')) return 'reports';
  if (isAtOrBelow(path, '/console')) return 'console';
  if (FREE_OPERATIONS.has(path) || GUARDED_OPERATIONS.has(path) || isAtOrBelow(path, '/docs')) return 'operations';
  return 'placement';
}

const WITH_SCHEDULER_CODES: ReadonlySet<Surface> = new Set(['scheduler', 'reports', 'console']);

/** Whether errors use the scheduler's codes. Reports and console do too, so their clients know one set of names. */
export const hasSchedulerCodes = (surface: Surface): boolean => WITH_SCHEDULER_CODES.has(surface);

/** The only console route that needs authentication: it describes the caller. All others are public files. */
const GUARDED_CONSOLE = '/console/session';

/** Compares the decoded path, because the router decodes it too. */
export const isFreeOfConsole = (path: string): boolean => decoded(path) !== GUARDED_CONSOLE;

/** The router refuses a path that cannot be decoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
