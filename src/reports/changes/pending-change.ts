// The changes since the last event, merged for the next one.
import type { NewChanges } from '../../placement/allocation-candidates/change-log.loader';
import type { ProviderGraph } from '../../placement/candidate-search';
import type { ReportedChange } from './change-events';
import type { ChangeKind } from './changed-kinds';
import { changedKinds } from './changed-kinds';

/** Hosts named by one event. If there are more, the event says so. */
const HOSTS_NAMED = 1_000;
/** Trees that are compared with their former version. Further trees report all kinds in UNCOMPARED. */
const TREES_COMPARED = 1_000;

/** The root providers of a service's nodes; undefined: the service is unknown. */
type NodesOf = (serviceId: number) => readonly string[] | undefined;

const KINDS: readonly ChangeKind[] = ['usage', 'inventory', 'provider', 'host', 'registry'];

export class PendingChange {
  private readonly hosts = new Set<string>();
  private readonly kinds = new Set<ChangeKind>();
  private isTruncated = false;

  get isEmpty(): boolean {
    return this.kinds.size === 0;
  }

  add(kind: ChangeKind, hosts: Iterable<string>): void {
    this.kinds.add(kind);
    for (const host of hosts) this.name(host);
  }

  /** `before`: the graph without these changes. Undefined: it is not available, and nothing is compared. */
  addChanges(changes: NewChanges, after: ProviderGraph, before: ProviderGraph | undefined, nodesOf: NodesOf): void {
    const { usages, touched, services, hostAggregates, documents } = changes;
    if (usages.length > 0) this.kinds.add('usage');
    for (const { providerId } of usages) this.nameTreeOf(after, providerId);
    if (before === undefined) this.addUncompared(touched, after);
    else this.addCompared(touched, after, before);
    for (const [id, lastSeenUpMs] of services) {
      // Only the time of the report is new. The clock finds hosts that were silent before.
      if (lastSeenUpMs !== null) continue;
      const nodes = nodesOf(id);
      this.add('host', nodes ?? []);
      if (nodes === undefined) this.isTruncated = true;
    }
    if (hostAggregates.size > 0) this.kinds.add('registry');
    if (documents.size > 0) this.kinds.add('registry');
  }

  /** Returns the pending changes and clears them. */
  take(at: string): ReportedChange {
    const kinds = KINDS.filter((kind) => this.kinds.has(kind));
    const reported = { at, hosts: [...this.hosts], hosts_truncated: this.isTruncated, kinds };
    this.clear();
    return reported;
  }

  clear(): void {
    this.hosts.clear();
    this.kinds.clear();
    this.isTruncated = false;
  }

  private addCompared(touched: ReadonlySet<number>, after: ProviderGraph, before: ProviderGraph): void {
    let compared = 0;
    for (const id of touched) {
      const [old, young] = [before.findTreeOf(id), after.findTreeOf(id)];
      compared += 1;
      const isTooMany = compared > TREES_COMPARED;
      for (const kind of isTooMany ? UNCOMPARED : changedKinds(old, young)) this.kinds.add(kind);
      for (const tree of [old, young]) if (tree !== undefined) this.name(tree.root.uuid);
    }
  }

  private addUncompared(touched: ReadonlySet<number>, after: ProviderGraph): void {
    if (touched.size > 0) for (const kind of UNCOMPARED) this.kinds.add(kind);
    for (const id of touched) this.nameTreeOf(after, id);
  }

  private nameTreeOf(graph: ProviderGraph, providerId: number): void {
    const root = graph.findTreeOf(providerId)?.root;
    if (root === undefined) this.isTruncated = true;
    else this.name(root.uuid);
  }

  private name(host: string): void {
    if (this.hosts.size < HOSTS_NAMED) this.hosts.add(host);
    else if (!this.hosts.has(host)) this.isTruncated = true;
  }
}

const UNCOMPARED: readonly ChangeKind[] = ['usage', 'inventory', 'provider'];
