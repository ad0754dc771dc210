import { mountOf } from './mounted-api';
import type { MountedApi } from './mounted-api';

/** Which family of routes a path belongs to; they differ in authentication, versions and prefix. */
export type Surface = 'placement' | 'scheduler' | 'reports' | 'operations' | 'facade';

/** Open to everybody: what balancers and supervisors ask. */
export const FREE_OPERATIONS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** Free to whoever asks from this machine. */
const GUARDED_OPERATIONS: ReadonlySet<string> = new Set(['/metrics']);

const isAtOrBelow = (path: string, start: string): boolean => path === start || path.startsWith(`${start}/`);

export function surfaceOf(path: string, mounts: readonly MountedApi[]): Surface {
  if (mountOf(path, mounts) !== undefined) return 'facade';
  if (isAtOrBelow(path, '/scheduler')) return 'scheduler';
  if (isAtOrBelow(path, '/reports')) return 'reports';
  if (FREE_OPERATIONS.has(path) || GUARDED_OPERATIONS.has(path) || isAtOrBelow(path, '/docs')) return 'operations';
  return 'placement';
}

/** Whether errors go by the scheduler's codes there: reports stand beside it, and clients know one set of names. */
export const hasSchedulerCodes = (surface: Surface): boolean => surface === 'scheduler' || surface === 'reports';
