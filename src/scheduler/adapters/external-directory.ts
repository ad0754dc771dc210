// Fills the host directory from an external source instead of the registries. The source knows no placements of Berth:
// they are read from Berth's records for each host whose usage changed, and count until the figures of the source do.
import { loadPlacementsOn } from '../../compute/host-facts.loader';
import type { Provider } from '../../placement/candidate-search';
import type { Database } from '../../platform/database/database';
import type { HostDirectory } from '../../scheduling-rules/host-state/host-directory';
import type { PendingInstance, ServiceFacts } from '../../scheduling-rules/host-state/host-facts';
import type { ExternalHostFacts } from '../ports';

/** How often the directory follows the source without a decision, for reports. */
const FOLLOW_EVERY_MS = 1_000;

/** Shared by all services without placements: a state is built again for every new list. */
const NO_PLACEMENTS: readonly PendingInstance[] = Object.freeze([]);

/** The placements on one host, with the tree for which they were read. */
interface ReadPlacements {
  readonly tree: readonly Provider[];
  readonly placements: readonly PendingInstance[];
}

export class ExternalDirectory {
  private version = 0;
  /** By root uuid of each node. */
  private readonly read = new Map<string, ReadPlacements>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly source: ExternalHostFacts,
    private readonly directory: HostDirectory,
    private readonly db: Pick<Database, 'readSnapshot'>,
    private readonly pendingTtlSeconds: number,
    /** The allocations are not in Berth's database. */
    private readonly areElsewhere: boolean,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.follow(), FOLLOW_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async refresh(isNow: boolean): Promise<void> {
    await this.source.refresh(isNow ? 0 : undefined);
    this.follow();
  }

  servicesNow(hosts: readonly string[]): ReturnType<ExternalHostFacts['servicesNow']> {
    return this.source.servicesNow(hosts);
  }

  /** Applies what the source already has in memory. */
  private follow(): void {
    const { version, serviceIds, services, heartbeats, aggregateIds, aggregates } = this.source.changesSince(
      this.version,
    );
    if (version === this.version) return;
    this.version = version;
    this.directory.replaceServices(
      serviceIds,
      services.map((service) => this.withPlacements(service)),
    );
    for (const { id, lastSeenUpMs } of heartbeats) this.directory.touch(id, lastSeenUpMs);
    if (aggregateIds.length > 0) this.directory.replaceAggregates(aggregateIds, aggregates);
  }

  /** A tree is a new object after each claim and release on it, so only new trees need a read of placements. */
  async readPlacements(trees: ReadonlyMap<string, readonly Provider[]>, nowMs: number): Promise<void> {
    const unread = new Map<string, string>();
    for (const [uuid, tree] of trees) {
      const entry = this.directory.find(uuid);
      if (entry !== undefined && !isSameTree(this.read.get(uuid)?.tree, tree)) unread.set(uuid, entry.service.host);
    }
    if (unread.size === 0) return;
    const sinceMs = nowMs - this.pendingTtlSeconds * 1000;
    const { areElsewhere } = this;
    const found = await this.db.readSnapshot((sql) =>
      loadPlacementsOn(sql, [...new Set(unread.values())], sinceMs, { areElsewhere }),
    );
    const changed = new Set<number>();
    for (const [uuid, host] of unread) {
      const placements = (found.get(host) ?? NO_PLACEMENTS).filter((placement) => placement.hostUuid === uuid);
      const hadPlacements = (this.read.get(uuid)?.placements.length ?? 0) > 0;
      this.read.set(uuid, { tree: trees.get(uuid) ?? [], placements });
      const service = this.directory.find(uuid)?.service;
      if (service !== undefined && (hadPlacements || placements.length > 0)) changed.add(service.id);
    }
    const services = [...changed].flatMap((id) => this.directory.findServiceById(id) ?? []);
    this.directory.replaceServices(
      [],
      services.map((service) => this.withPlacements(service)),
    );
  }

  /** Removes the placements on deleted roots. */
  forget(exists: (uuid: string) => boolean, limit: number): void {
    if (this.read.size > limit) for (const uuid of this.read.keys()) if (!exists(uuid)) this.read.delete(uuid);
  }

  private withPlacements(service: ServiceFacts): ServiceFacts {
    const placements = service.hosts
      .flatMap(({ uuid }) => (uuid === null ? [] : (this.read.get(uuid)?.placements ?? [])))
      .filter(({ uuid }) => !this.source.isCounted(service.host, uuid))
      .map((placement) => ({ ...placement, isUncounted: true }));
    return { ...service, pending: placements.length === 0 ? NO_PLACEMENTS : placements };
  }
}

const isSameTree = (one: readonly Provider[] | undefined, other: readonly Provider[]): boolean =>
  one !== undefined &&
  (one === other || (one.length === other.length && one.every((provider, at) => provider === other[at])));
