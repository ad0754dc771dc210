// What a host directory and a provider graph tell of the hosts, for the real cloud and for a described one.
import type { Provider, ProviderGraph } from '../../placement/candidate-search';
import type { BuildOptions } from '../../scheduling-rules/host-state/build-host-state';
import { inventoryHostState, reportedHostState } from '../../scheduling-rules/host-state/build-host-state';
import type { HostDirectory } from '../../scheduling-rules/host-state/host-directory';
import type { HostAggregate, HostService, HostState } from '../../scheduling-rules/host-state/host-state';
import { unreportedHosts } from '../../scheduling-rules/host-state/unreported-hosts';
import type { PrefilterCloud } from '../../scheduling-rules/pipeline/define-prefilter';
import type { TargetNode, WantedTarget } from '../../scheduling-rules/request-spec/target-host';
import type { KnownHost } from '../ports';

export interface HostOptions {
  readonly defaultAvailabilityZone: string;
  /** Treat a root provider without a report as a host. */
  readonly hostsFromInventory: boolean;
}

export abstract class DirectoryHosts<O extends HostOptions = HostOptions> {
  /** For these roots and nodes, whether a host is unreported. */
  private mixed: { readonly roots: readonly unknown[]; readonly isMixed: boolean } | null = null;

  constructor(
    protected directory: HostDirectory,
    protected graph: ProviderGraph,
    protected readonly options: O,
  ) {}

  cloud(): PrefilterCloud {
    const { hostAggregates, lowestServiceVersion: lowest } = this.directory;
    const { defaultAvailabilityZone } = this.options;
    // An unreported host counts as one without a version; the check runs only if all other hosts are new enough.
    const lowestServiceVersion = lowest !== 0 && this.hasUnreported() ? 0 : lowest;
    return { hostAggregates, defaultAvailabilityZone, lowestServiceVersion };
  }

  /** Looks at every root only after roots or nodes came, went or changed. */
  private hasUnreported(): boolean {
    const roots = [this.graph.rootIds, this.graph.sharingIds, this.directory, this.directory.nodesVersion];
    if (!roots.every((part, at) => part === this.mixed?.roots[at])) {
      this.mixed = { roots, isMixed: this.unreported().next().done === false };
    }
    return this.mixed?.isMixed === true;
  }

  targets(target: WantedTarget): readonly TargetNode[] {
    const { host, node } = target;
    const found = [...this.directory.targets(target)];
    if (host !== null && node !== null && host !== node) return found;
    for (const { name, uuid } of this.unreported()) {
      if ((host ?? name) === name && (node ?? name) === name) found.push({ host: name, node: name, uuid });
    }
    return found;
  }

  known(root: Pick<Provider, 'uuid' | 'name'>): KnownHost {
    const reported = this.directory.find(root.uuid) ?? null;
    const service = reported === null ? this.directory.findService(root.name) : reported.service;
    return {
      reported,
      service: service?.service ?? null,
      aggregates: this.directory.aggregatesOf(service?.host ?? root.name),
    };
  }

  hostAggregates(): readonly HostAggregate[] {
    return this.directory.hostAggregates;
  }

  serviceOf(root: Pick<Provider, 'uuid' | 'name'>): HostService | null {
    return this.known(root).service;
  }

  /** Null: the root is not a host. `instances`: uuids of its consumers if it has no report. */
  protected buildState(
    uuid: string,
    tree: readonly Provider[],
    instances: readonly string[],
    options: BuildOptions,
  ): HostState | null {
    const entry = this.directory.find(uuid);
    const root = tree.find(({ parentUuid }) => parentUuid === null);
    const aggregates = this.directory.aggregatesOf(entry?.service.host ?? root?.name ?? '');
    if (entry !== undefined) return reportedHostState({ ...entry, aggregates, tree }, options);
    if (!this.options.hostsFromInventory || root === undefined || root.wasReported) return null;
    const service = this.directory.findService(root.name);
    return inventoryHostState({ root, tree, aggregates, service, instances, nowMs: options.nowMs });
  }

  private unreported(): Generator<Provider> {
    return unreportedHosts(this.graph, this.directory, this.options.hostsFromInventory);
  }
}
