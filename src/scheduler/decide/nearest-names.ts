// "Did you mean …?" for names in a request that do not exist: zones, flavors, images, server groups and hosts. Runs only
// after such a request was refused.

import { didYouMean } from '../../platform/values/nearest-name';
import { ZONE_KEY } from '../../scheduling-rules/host-state/host-state';
import { UnresolvedName } from '../../scheduling-rules/request-spec/request-refusal';
import type { TargetNode } from '../../scheduling-rules/request-spec/target-host';
import { NoSuchHost } from '../../scheduling-rules/request-spec/target-host';
import type { HostSource, ReferenceSource } from '../ports';

/** A shorter list of known names is shown completely. */
const NAMES_LISTED = 10;
/** The suggestion after the message of the error; empty: the error is of another kind, or no name is near. */
export async function nearestNamesFor(
  error: unknown,
  references: ReferenceSource,
  hosts: Pick<HostSource, 'cloud' | 'targets'>,
): Promise<string> {
  if (error instanceof NoSuchHost) {
    const nodes = hosts.targets({ host: null, node: null });
    const { host, node } = error.wanted;
    const isHostKnown = host !== null && nodes.some((each) => each.host === host);
    // Nova's sentence ends with a blank.
    if (host !== null && !isHostKnown) return suggestion(host, namesOf(nodes, 'host'), 'hosts').trimStart();
    const among = host === null ? nodes : nodes.filter((each) => each.host === host);
    return suggestion(node ?? '', namesOf(among, 'node'), 'nodes').trimStart();
  }
  if (!(error instanceof UnresolvedName)) return '';
  const { what, wanted } = error;
  if (what === 'zone') {
    const { hostAggregates, defaultAvailabilityZone } = hosts.cloud();
    const zones = hostAggregates.flatMap(({ metadata }) => metadata[ZONE_KEY] ?? []);
    return suggestion(wanted, [...new Set([...zones, defaultAvailabilityZone])], 'zones');
  }
  return suggestion(wanted, await references.namesOf(what), `${what}s`);
}

const namesOf = (nodes: readonly TargetNode[], key: 'host' | 'node'): readonly string[] => [
  ...new Set(nodes.map((each) => each[key])),
];

function suggestion(wanted: string, names: readonly string[], what: string): string {
  const meant = didYouMean(wanted, names);
  if (names.length === 0) return ` There are no ${what}.`;
  return names.length > NAMES_LISTED ? meant : `${meant} Known ${what}: ${[...names].sort().join(', ')}.`;
}
