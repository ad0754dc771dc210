// Derives availability zones from host aggregates and hosts. Read only: a zone is a metadata key of host aggregates.
import { Injectable } from '@nestjs/common';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import type { Provider, ProviderGraph } from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { Database } from '../../platform/database/database';
import { Table } from '../../platform/database/table';
import { byText } from '../../platform/values/text-order';
import { ZONE_KEY } from '../../scheduling-rules/host-state/host-state';
import { FactsInForce } from '../facts-in-force';
import { RegistriesConfig } from '../registries.config';
import { serviceStateOf } from '../services/service-liveness';
import { ComputeService } from '../services/service.entity';

interface ZoneHost {
  readonly host: string;
  readonly isUp: boolean;
  readonly isEnabled: boolean;
}

export interface AvailabilityZone {
  readonly name: string;
  /** True for the default zone, which holds every host without a zone of its own. */
  readonly isDefault: boolean;
  /** Sorted by name. */
  readonly hosts: readonly ZoneHost[];
}

type ZonedService = Pick<ComputeService, 'host' | 'disabled' | 'forcedDown' | 'lastSeenUpMs' | 'createdAtMs'>;

interface Member {
  readonly zone: string;
  readonly host: string | null;
}

@Injectable()
export class AvailabilityZones {
  constructor(
    private readonly db: Database,
    private readonly graphs: GraphSource,
    private readonly config: RegistriesConfig,
    private readonly facts: FactsInForce,
  ) {}

  /** Sorted by name. A zone whose aggregates have no hosts is listed without hosts. */
  async list(nowMs: number): Promise<readonly AvailabilityZone[]> {
    const found =
      this.ofFacts() ??
      (await this.db.readSnapshot(async (sql) => {
        const members = await sql.query<Member>(ZONES);
        const services: readonly ZonedService[] = (await sql.query<object>(SERVICES)).map((row) => SERVICE.read(row));
        return { services, members };
      }));
    const zones = new Map<string, ZoneHost[]>([[this.config.defaultZone, []]]);
    const zoneOf = new Map<string, string>();
    for (const { zone, host } of found.members) {
      if (!zones.has(zone)) zones.set(zone, []);
      if (host !== null) zoneOf.set(host, zone);
    }
    const hosts = found.services.map((row) => this.zoneHost(row, nowMs));
    for (const host of [...hosts, ...(await this.unreported(found.services))]) {
      zones.get(zoneOf.get(host.host) ?? this.config.defaultZone)?.push(host);
    }
    return [...zones].sort(byText(([name]) => name)).map(([name, members]) => ({
      name,
      isDefault: name === this.config.defaultZone,
      hosts: members.sort(byText(({ host }) => host)),
    }));
  }

  private ofFacts(): { readonly services: readonly ZonedService[]; readonly members: readonly Member[] } | null {
    if (this.facts.source === null) return null;
    const { services, aggregates } = this.facts.source.changesSince(0);
    const members = aggregates.flatMap(({ hosts, metadata }) => {
      const zone = metadata[ZONE_KEY];
      return zone === undefined ? [] : [{ zone, host: null }, ...hosts.map((host) => ({ zone, host }))];
    });
    return { members, services: services.map(({ host, service }) => ({ host, ...service })) };
  }

  private zoneHost(service: ZonedService, nowMs: number): ZoneHost {
    const isUp = serviceStateOf(service, nowMs, this.config.serviceDownSeconds) === 'up';
    return { host: service.host, isUp, isEnabled: !service.disabled };
  }

  /** A host that has never sent a report counts as up. */
  private async unreported(services: readonly ZonedService[]): Promise<readonly ZoneHost[]> {
    if (!this.config.hostsFromInventory) return [];
    const names = new Set(services.map(({ host }) => host));
    const roots = rootsWithCpus(await this.graphs.current());
    return roots
      .filter(({ name, wasReported }) => !wasReported && !names.has(name))
      .map(({ name, traits }) => ({ host: name, isUp: true, isEnabled: !traits.has(DISABLED_TRAIT) }));
  }
}

const SERVICE = new Table(ComputeService).only('host', 'disabled', 'forcedDown', 'lastSeenUpMs', 'createdAtMs');
const SERVICES = `SELECT ${SERVICE.of('s')} FROM scheduler_services s`;
const ZONES =
  'SELECT m.value AS zone, ah.host FROM host_aggregate_metadata m ' +
  "LEFT JOIN host_aggregate_hosts ah ON ah.aggregate_id = m.aggregate_id WHERE m.name = 'availability_zone'";

const CPUS: ReadonlySet<string> = new Set(['VCPU', 'PCPU']);

/** A sharing pool of disks or addresses is not a host. */
function rootsWithCpus(graph: ProviderGraph): readonly Provider[] {
  const roots: Provider[] = [];
  for (const id of graph.rootIds) {
    const tree = graph.findTree(id);
    const hasCpus = tree?.providers.some(({ inventories }) =>
      inventories.some(({ resourceClass }) => CPUS.has(resourceClass)),
    );
    if (tree !== undefined && hasCpus === true) roots.push(tree.root);
  }
  return roots;
}
