// Which root providers are hosts: those that somebody reported; where hosts come from the inventory the others as well,
// but for those that share what they have.
import type { Provider, ProviderGraph } from '../../candidate-search';
import type { HostDirectory } from './host-directory';

export const isHost = (root: Pick<Provider, 'isSharing'>, isReported: boolean, hostsFromInventory: boolean): boolean =>
  isReported || (hostsFromInventory && !root.isSharing);

/** The hosts that nobody reported. */
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
