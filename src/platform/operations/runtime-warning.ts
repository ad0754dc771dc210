// The start-up warning about versions of Node.js.

/** Major versions with which Berth was tested. `engines` also allows later ones. */
const TESTED = [20, 22, 24, 26];

/** Undefined if there is nothing to warn about. */
export function runtimeWarning(nodeVersion: string): string | undefined {
  const major = Number(/^v?(\d+)\./.exec(nodeVersion)?.[1]);
  if (TESTED.includes(major)) return undefined;
  return `Node.js ${nodeVersion} was not tested with this release. Tested: ${TESTED.join(', ')}`;
}
