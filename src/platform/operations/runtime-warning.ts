// The start-up warning about unsuitable versions of Node.js.

/** The first major version of Node.js on which version 12 of the SQLite driver can crash during garbage collection. */
const UNSURE_SINCE = 24;

/**
 * Undefined if there is nothing to warn about. Built against the headers of late Node.js 24 releases, the SQLite driver
 * needs an entered environment when one of its objects is collected; without one, Node ends the process. Committed data
 * is on disk. Version 13 of the driver has no such fault, but does not run on Node.js 20.
 */
export function runtimeWarning(database: 'sqlite' | 'mysql', nodeVersion: string): string | undefined {
  const major = Number(/^v?(\d+)\./.exec(nodeVersion)?.[1]);
  if (database !== 'sqlite' || !(major >= UNSURE_SINCE)) return undefined;
  return `the SQLite driver may end the process on Node.js ${nodeVersion}: use Node.js 20 or 22, or MariaDB`;
}
