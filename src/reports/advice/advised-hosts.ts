// The hosts that advice is about, put together by what they have in common: hosts in the same host aggregates share one
// list of them.
import type { Provider, ProviderGraph } from '../../placement/candidate-search';
import { addTo } from '../../platform/values/lists-by-key';
import type { KnownHost } from '../../scheduler/ports';
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import { isHost } from '../../scheduling-rules/host-state/unreported-hosts';
import type { AdviceSubject } from './advice';

export interface AdvisedHost {
  readonly uuid: string;
  /** The name of the service, or of a root provider without a report. */
  readonly name: string;
  readonly isReported: boolean;
}

/** Lists of host aggregates, each with the hosts that are in just these. */
export type HostsByAggregates = ReadonlyMap<readonly HostAggregate[], readonly AdvisedHost[]>;

interface HostCloud {
  readonly graph: ProviderGraph;
  /** A root provider without a report is a host, too. */
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
