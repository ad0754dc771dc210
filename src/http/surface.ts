import { isAtOrBelow, mountOf } from './mounted-api';
import type { MountedApi } from './mounted-api';

/** Which family of routes a path belongs to; they differ in authentication, versions and prefix. */
export type Surface = 'placement' | 'scheduler' | 'reports' | 'console' | 'operations' | 'facade';

/** Open to everybody: what balancers and supervisors ask. */
export const FREE_OPERATIONS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** Free to whoever asks from this machine. */
const GUARDED_OPERATIONS: ReadonlySet<string> = new Set(['/metrics']);

export function surfaceOf(path: string, mounts: readonly MountedApi[]): Surface {
  if (mountOf(path, mounts) !== undefined) return 'facade';
  if (isAtOrBelow(path, '/scheduler')) return 'scheduler';
  if (isAtOrBelow(path, '/reports')) return 'reports';
  if (isAtOrBelow(path, '/console')) return 'console';
  if (FREE_OPERATIONS.has(path) || GUARDED_OPERATIONS.has(path) || isAtOrBelow(path, '/docs')) return 'operations';
  return 'placement';
}

const WITH_SCHEDULER_CODES: ReadonlySet<Surface> = new Set(['scheduler', 'reports', 'console']);

/** Whether errors go by the scheduler's codes there: others stand beside it, and clients know one set of names. */
export const hasSchedulerCodes = (surface: Surface): boolean => WITH_SCHEDULER_CODES.has(surface);

/** Of the console, what it says of whoever asks; all else is as free as any public file. */
const GUARDED_CONSOLE = '/console/session';

/** Judged as the router reads the path, which undoes what needed no encoding. */
export const isFreeOfConsole = (path: string): boolean => decoded(path) !== GUARDED_CONSOLE;

/** What cannot be decoded is refused by the router. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
