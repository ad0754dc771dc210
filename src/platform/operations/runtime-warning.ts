// What the service says at its start about the Node.js that it runs on.

/** The first line of Node.js of which the SQLite driver, version 12, is not sure to survive a collection of garbage. */
const UNSURE_SINCE = 24;

/**
 * Undefined where there is nothing to say. Built against the headers of late releases of Node.js 24, the SQLite driver asks
 * for an environment when one of its objects is collected; where none is entered at that moment, Node ends the process.
 * What was committed is on disk. Version 13 of the driver does not, and does not run on Node.js 20.
 */
export function runtimeWarning(database: 'sqlite' | 'mysql', nodeVersion: string): string | undefined {
  const major = Number(/^v?(\d+)\./.exec(nodeVersion)?.[1]);
  if (database !== 'sqlite' || !(major >= UNSURE_SINCE)) return undefined;
  return `the SQLite driver may end the process on Node.js ${nodeVersion}: use Node.js 20 or 22, or MariaDB`;
}
