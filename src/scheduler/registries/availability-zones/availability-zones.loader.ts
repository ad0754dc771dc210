// The zones as they follow from host aggregates and hosts. Read only: a zone is the metadata key of a host aggregate.
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { SqlReader } from '../../../database/sql';
import { REGISTRIES_CONFIG } from '../registries.config';
import type { RegistriesConfig } from '../registries.config';
import { serviceStateOf } from '../services/service-liveness';

export interface ZoneHost {
  readonly host: string;
  readonly isUp: boolean;
  readonly isEnabled: boolean;
}

export interface AvailabilityZone {
  readonly name: string;
  /** The zone of hosts that are in no other. */
  readonly isDefault: boolean;
  /** In the order of names. */
  readonly hosts: readonly ZoneHost[];
}

@Injectable()
export class AvailabilityZones {
  constructor(
    private readonly db: Database,
    @Inject(REGISTRIES_CONFIG) private readonly config: RegistriesConfig,
  ) {}

  /** In the order of names; a zone whose aggregates have no hosts has none. */
  list(nowMs: number): Promise<readonly AvailabilityZone[]> {
    return this.db.readSnapshot(async (sql) => {
      const hosts = await this.hosts(sql, nowMs);
      const zones = new Map<string, ZoneHost[]>([[this.config.defaultZone, []]]);
      const zoneOf = new Map<string, string>();
      for (const { zone, host } of await sql.query<{ zone: string; host: string | null }>(ZONES)) {
        if (!zones.has(zone)) zones.set(zone, []);
        if (host !== null) zoneOf.set(host, zone);
      }
      for (const host of hosts) zones.get(zoneOf.get(host.host) ?? this.config.defaultZone)?.push(host);
      return [...zones]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, members]) => ({
          name,
          isDefault: name === this.config.defaultZone,
          hosts: members.sort((a, b) => (a.host < b.host ? -1 : 1)),
        }));
    });
  }

  private async hosts(sql: SqlReader, nowMs: number): Promise<readonly ZoneHost[]> {
    const services = await sql.query<{
      host: string;
      disabled: number;
      forced_down: number;
      last_seen_up: number | null;
      created_at: number;
    }>('SELECT host, disabled, forced_down, last_seen_up, created_at FROM scheduler_services');
    const reported = services.map((row): ZoneHost => {
      const facts = {
        forcedDown: row.forced_down === 1,
        lastSeenUpMs: row.last_seen_up,
        createdAtMs: row.created_at,
      };
      const isUp = serviceStateOf(facts, nowMs, this.config.serviceDownSeconds) === 'up';
      return { host: row.host, isUp, isEnabled: row.disabled === 0 };
    });
    if (!this.config.hostsFromInventory) return reported;
    const known = new Set(reported.map(({ host }) => host));
    const rows = await sql.query<{ name: string; disabled: number }>(UNREPORTED);
    // A host that nobody reported counts as up.
    const others = rows.filter(({ name }) => !known.has(name));
    return [
      ...reported,
      ...others.map(({ name, disabled }) => ({ host: name, isUp: true, isEnabled: Number(disabled) === 0 })),
    ];
  }
}

const ZONES =
  'SELECT m.value AS zone, ah.host FROM host_aggregate_metadata m ' +
  "LEFT JOIN host_aggregate_hosts ah ON ah.aggregate_id = m.aggregate_id WHERE m.name = 'availability_zone'";

/** Root providers with CPUs that no report names: a pool of disks or addresses is no host. */
const UNREPORTED =
  'SELECT p.name, EXISTS (SELECT 1 FROM resource_provider_traits pt JOIN traits t ON t.id = pt.trait_id ' +
  "WHERE pt.resource_provider_id = p.id AND t.name = 'COMPUTE_STATUS_DISABLED') AS disabled " +
  'FROM resource_providers p WHERE p.parent_provider_id IS NULL ' +
  'AND NOT EXISTS (SELECT 1 FROM scheduler_hosts h WHERE h.uuid = p.uuid) AND EXISTS (SELECT 1 FROM inventories i ' +
  'JOIN resource_classes c ON c.id = i.resource_class_id JOIN resource_providers member ' +
  'ON member.id = i.resource_provider_id ' +
  "WHERE member.root_provider_id = p.id AND c.name IN ('VCPU', 'PCPU'))";
