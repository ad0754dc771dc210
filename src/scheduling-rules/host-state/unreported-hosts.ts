// Decides which root providers are hosts: those with a report; with hosts_from_inventory also all others that do not
// share their inventory and that no compute host ever reported. A removed host is none by its inventory alone.
import type { Provider, ProviderGraph } from '../../placement/candidate-search';
import type { HostDirectory } from './host-directory';

export const isHost = (
  root: Pick<Provider, 'isSharing' | 'wasReported'>,
  isReported: boolean,
  hostsFromInventory: boolean,
): boolean => isReported || (hostsFromInventory && !root.isSharing && !root.wasReported);

/** The hosts without a report. */
export function* unreportedHosts(
  graph: ProviderGraph,
  directory: Pick<HostDirectory, 'find'>,
  hostsFromInventory: boolean,
): Generator<Provider> {
  if (!hostsFromInventory) return;
  for (const id of graph.rootIds) {
    const root = graph.findTree(id)?.root;
    if (root === undefined || directory.find(root.uuid) !== undefined) continue;
    if (isHost(root, false, hostsFromInventory)) yield root;
  }
}
