// Where nova has an instance, according to the databases of its cells. Decides whether a claim whose answer may be lost
// is still needed.

/** A live row of the instance, with its unfinished moves. */
export interface InstancePlace {
  /** Null: the instance is not on a host yet, or not any more. */
  readonly host: string | null;
  readonly vmState: string | null;
  readonly taskState: string | null;
  /** Target hosts of moves that have not ended. */
  readonly moveTargets: readonly string[];
}

/** True if the instance is on one of the hosts, or can still arrive there. */
export function needsClaim(place: InstancePlace | null, hosts: ReadonlySet<string>): boolean {
  if (place === null) return false;
  const { host, vmState, taskState, moveTargets } = place;
  if (host !== null && hosts.has(host)) return true;
  // A build and every operation that moves an instance have one of these states until they end.
  if (taskState !== null || vmState === 'building') return true;
  return moveTargets.some((target) => hosts.has(target));
}
