// The registries' facts about hosts, indexed for the scheduler. Pure: its owner supplies the rows.

import { addTo } from '../../platform/values/lists-by-key';
import type { TargetNode, WantedTarget } from '../request-spec/target-host';
import { ChangedHosts } from './changed-hosts';
import type { HostAggregateFacts, HostFacts, ServiceFacts } from './host-facts';
import type { HostAggregate } from './host-state';

/** A reported node with its service. */
export interface DirectoryEntry {
  readonly service: ServiceFacts;
  readonly host: HostFacts;
}

const NO_AGGREGATES: readonly HostAggregate[] = Object.freeze([]);

export class HostDirectory {
  constructor(
    private readonly changes = new ChangedHosts(),
    /** Hosts of which only the time of the last report changed. */
    private readonly heartbeats = new ChangedHosts(),
  ) {}

  private readonly services = new Map<number, ServiceFacts>();
  private readonly servicesByHost = new Map<string, ServiceFacts>();
  private readonly entries = new Map<string, DirectoryEntry>();
  private readonly aggregatesById = new Map<number, HostAggregateFacts>();
  private aggregateList: readonly HostAggregate[] = NO_AGGREGATES;
  /** Lists by host; hosts in the same aggregates share one list until one of these aggregates changes. */
  private memberships = new Map<string, readonly HostAggregate[]>();
  private lowest: number | null | undefined;
  /** Another one after nodes were added or removed, or have another service version. */
  nodesVersion = 0;

  /** Replaces these services by their current rows; an id without a row is removed. */
  replaceServices(ids: Iterable<number>, rows: readonly ServiceFacts[]): void {
    const before = new Map<number, ServiceFacts | undefined>();
    for (const id of [...ids, ...rows.map((row) => row.id)]) {
      before.set(id, before.get(id) ?? this.services.get(id));
      this.forget(id);
    }
    const now = new Map(rows.map((row) => [row.id, row]));
    if ([...before].some(([id, known]) => nodesOf(known) !== nodesOf(now.get(id)))) {
      this.nodesVersion += 1;
      this.lowest = undefined;
    }
    for (const row of rows) {
      this.services.set(row.id, row);
      this.servicesByHost.set(row.host, row);
      for (const host of row.hosts) if (host.uuid !== null) this.entries.set(host.uuid, { service: row, host });
      this.note(row);
    }
  }

  /** Only the time of the last report changed. Returns false if the service is unknown and must be read. */
  touch(id: number, lastSeenUpMs: number): boolean {
    const known = this.services.get(id);
    if (known === undefined) return false;
    if ((known.service.lastSeenUpMs ?? 0) >= lastSeenUpMs) return true;
    const touched = { ...known, service: { ...known.service, lastSeenUpMs } };
    this.services.set(id, touched);
    this.servicesByHost.set(known.host, touched);
    for (const host of known.hosts) if (host.uuid !== null) this.entries.set(host.uuid, { service: touched, host });
    for (const { uuid } of known.hosts) if (uuid !== null) this.heartbeats.changed(uuid);
    return true;
  }

  replaceAggregates(ids: Iterable<number>, rows: readonly HostAggregateFacts[]): void {
    for (const id of ids) this.aggregatesById.delete(id);
    for (const row of rows) this.aggregatesById.set(row.id, row);
    this.changes.changedAll();
    this.indexAggregates();
  }

  /** The reported node of a root provider. */
  find(rootUuid: string): DirectoryEntry | undefined {
    return this.entries.get(rootUuid);
  }

  findService(host: string): ServiceFacts | undefined {
    return this.servicesByHost.get(host);
  }

  findServiceById(id: number): ServiceFacts | undefined {
    return this.services.get(id);
  }

  get allServices(): Iterable<ServiceFacts> {
    return this.services.values();
  }

  get aggregateFacts(): Iterable<HostAggregateFacts> {
    return this.aggregatesById.values();
  }

  get reported(): Iterable<DirectoryEntry> {
    return this.entries.values();
  }

  /** The number of reported nodes. */
  get size(): number {
    return this.entries.size;
  }

  get hostAggregates(): readonly HostAggregate[] {
    return this.aggregateList;
  }

  aggregatesOf(host: string): readonly HostAggregate[] {
    return this.memberships.get(host) ?? NO_AGGREGATES;
  }

  /** The lowest version among reported nodes; null without reported nodes. */
  get lowestServiceVersion(): number | null {
    if (this.lowest === undefined) {
      this.lowest = null;
      for (const { host } of this.entries.values())
        this.lowest = Math.min(this.lowest ?? Infinity, host.serviceVersion);
    }
    return this.lowest;
  }

  targets({ host, node }: WantedTarget): readonly TargetNode[] {
    const found: TargetNode[] = [];
    for (const [uuid, entry] of this.entries) {
      if (host !== null && entry.service.host !== host) continue;
      if (node !== null && entry.host.node !== node) continue;
      found.push({ host: entry.service.host, node: entry.host.node, uuid });
    }
    return found;
  }

  private forget(id: number): void {
    const known = this.services.get(id);
    if (known === undefined) return;
    this.note(known);
    this.services.delete(id);
    if (this.servicesByHost.get(known.host)?.id === id) this.servicesByHost.delete(known.host);
    for (const { uuid } of known.hosts) {
      if (uuid !== null && this.entries.get(uuid)?.service.id === id) this.entries.delete(uuid);
    }
  }

  /** A service without nodes can be that of a root provider with its name. */
  private note({ hosts }: ServiceFacts): void {
    if (hosts.length === 0) this.changes.changedAll();
    for (const { uuid } of hosts) if (uuid !== null) this.changes.changed(uuid);
  }

  private indexAggregates(): void {
    const facts = [...this.aggregatesById.values()].sort((one, other) => one.id - other.id);
    const byId = new Map(
      facts.map(({ id, uuid, name, metadata }): [number, HostAggregate] => [id, { uuid, name, metadata }]),
    );
    const idsOf = new Map<string, number[]>();
    for (const { id, hosts } of facts) for (const host of hosts) addTo(idsOf, host, id);
    const shared = new Map<string, readonly HostAggregate[]>();
    const memberships = new Map<string, readonly HostAggregate[]>();
    for (const [host, ids] of idsOf) {
      const key = ids.join();
      let list = shared.get(key);
      if (list === undefined) shared.set(key, (list = ids.flatMap((id) => byId.get(id) ?? [])));
      memberships.set(host, list);
    }
    this.memberships = memberships;
    this.aggregateList = [...byId.values()];
  }
}

const nodesOf = (service: ServiceFacts | undefined): string =>
  service === undefined ? '' : service.hosts.map(({ uuid, serviceVersion }) => `${uuid} ${serviceVersion}`).join();
