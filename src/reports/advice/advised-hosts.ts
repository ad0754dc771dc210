// The hosts that advice is about, grouped by host aggregates: hosts in the same aggregates share one list of them.
import type { Provider, ProviderGraph } from '../../placement/candidate-search';
import { addTo } from '../../platform/values/lists-by-key';
import type { KnownHost } from '../../scheduler/ports';
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import { isHost } from '../../scheduling-rules/host-state/unreported-hosts';
import type { AdviceSubject } from './advice';

export interface AdvisedHost {
  readonly uuid: string;
  /** The host name of the service; without a report, the name of the root provider. */
  readonly name: string;
  readonly isReported: boolean;
}

/** Lists of host aggregates, each with the hosts that are in exactly these. */
export type HostsByAggregates = ReadonlyMap<readonly HostAggregate[], readonly AdvisedHost[]>;

interface HostCloud {
  readonly graph: ProviderGraph;
  /** Root providers without a report are hosts as well. */
  readonly hostsFromInventory: boolean;
  readonly known: (root: Pick<Provider, 'uuid' | 'name'>) => KnownHost;
}

export function hostsByAggregates({ graph, hostsFromInventory, known }: HostCloud): HostsByAggregates {
  const found = new Map<readonly HostAggregate[], AdvisedHost[]>();
  for (const id of graph.rootIds) {
    const root = graph.findTree(id)?.root;
    if (root === undefined) continue;
    const { reported, aggregates } = known(root);
    const isReported = reported !== null;
    if (!isHost(root, isReported, hostsFromInventory)) continue;
    const host = { uuid: root.uuid, name: reported?.service.host ?? root.name, isReported };
    addTo(found, aggregates, host);
  }
  return found;
}

export const hostSubject = ({ uuid, name }: AdvisedHost): AdviceSubject => ({ kind: 'host', id: uuid, name });
