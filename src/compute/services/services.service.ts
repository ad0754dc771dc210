// Operations on compute services. The status, and the trait on every root provider of the host, change together.
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../platform/database/database';
import { repositoryIn } from '../../platform/database/entity-source';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { FactsInForce, ONE, servicesIn } from '../facts-in-force';
import { forgetReleasesOn, hasInstancesOn } from '../instances/instances.writes';
import { PlacementMirror } from '../placement-mirror.service';
import { RegistriesConfig } from '../registries.config';
import type { Page, PageQuery } from '../registry-page';
import { inUse, invalidField, notFound, refuseStale } from '../registry-refusals';
import type { ServiceStatus } from './service-liveness';
import { ComputeService } from './service.entity';
import type { ServiceInZone } from './services.repository';
import * as repository from './services.repository';
import type { ServiceStatusFilter } from './services.sql';
import { holdService } from './services.writes';

export type ShownService = ServiceInZone & { readonly nodes: readonly string[] };

interface ServiceChange {
  readonly status?: ServiceStatus | undefined;
  /** Null removes the reason. */
  readonly disabledReason?: string | null | undefined;
  readonly forcedDown?: boolean | undefined;
  readonly generation?: number | undefined;
}

@Injectable()
export class ServicesService {
  constructor(
    private readonly db: Database,
    @InjectRepository(ComputeService) private readonly rows: Repository<ComputeService>,
    private readonly mirror: PlacementMirror,
    readonly config: RegistriesConfig,
    private readonly facts: FactsInForce,
  ) {}

  /** Throws not_found. */
  async get(host: string): Promise<ShownService> {
    if (this.facts.source !== null) {
      const [found] = servicesIn(this.facts.source, { host }, ONE).items;
      if (found === undefined) throw notFound(`service of host ${host}`);
      return found;
    }
    return this.db.read((sql) => shown(sql, host));
  }

  async list(filter: ServiceStatusFilter, page: PageQuery): Promise<Page<ShownService>> {
    if (this.facts.source !== null) return servicesIn(this.facts.source, filter, page);
    return this.db.readMuch(async (sql) => {
      const { items, next } = await repository.listServices(sql, filter, page);
      const ids = items.map(({ rowId }) => rowId);
      const nodes = await repository.nodesOf(sql, ids);
      return { items: items.map((each) => ({ ...each, nodes: nodes.get(each.rowId) ?? [] })), next };
    });
  }

  /** Throws not_found, generation_conflict, invalid_request. */
  change(host: string, change: ServiceChange) {
    return this.db.write(async (tx) => {
      const nowMs = Date.now();
      const before = await heldService(tx, host);
      refuseStale(`service of host ${host}`, change.generation, before.generation);
      const after = changed(before, change);
      const raised = { generation: before.generation + 1, updatedAtMs: nowMs };
      await repositoryIn(tx, this.rows).update({ rowId: before.rowId }, { ...after, ...raised });
      // Also if the status does not change: disabling a disabled service must mark its providers again.
      if (change.status !== undefined) await this.mirror.setStatusIn(tx, host, after.disabled, nowMs);
      tx.changes.service(before.rowId);
      // Read before the commit: after it another client can delete the service.
      return { before, service: await shown(tx, host) };
    });
  }

  /**
   * Removes the service with its hosts, and the providers that their reports created. Throws not_found; in_use if
   * instances are placed there, or if a provider has allocations.
   */
  remove(host: string): Promise<void> {
    return this.db.write(async (tx) => {
      const service = await heldService(tx, host);
      if (await hasInstancesOn(tx, host)) throw inUse(`Instances are placed on host ${host}.`);
      const roots = (await this.mirror.rootsOfHosts(tx, [host])).get(host) ?? [];
      await forgetReleasesOn(tx, host);
      await repository.deleteHosts(tx, service.rowId);
      await repositoryIn(tx, this.rows).delete({ rowId: service.rowId });
      await this.mirror.retireIn(tx, host, roots);
      tx.changes.service(service.rowId);
    });
  }
}

/** Throws not_found. */
async function heldService(tx: WriteTx, host: string): Promise<ComputeService> {
  const service = await holdService(tx, host);
  if (service === undefined) throw notFound(`service of host ${host}`);
  return service;
}

/** Throws not_found. */
async function shown(sql: SqlReader, host: string): Promise<ShownService> {
  const found = await repository.findService(sql, host);
  if (found === undefined) throw notFound(`service of host ${host}`);
  return { ...found, nodes: (await repository.nodesOf(sql, [found.rowId])).get(found.rowId) ?? [] };
}

/** A reason is only valid for a disabled service. Enabling the service removes it. */
function changed(
  before: ComputeService,
  { status, disabledReason, forcedDown }: ServiceChange,
): Pick<ComputeService, 'disabled' | 'disabledReason' | 'forcedDown'> {
  const disabled = status === undefined ? before.disabled : status === 'disabled';
  const isGiven = disabledReason !== undefined && disabledReason !== null;
  if (isGiven && !disabled) throw invalidField('disabled_reason', 'is for a disabled service only');
  const kept = status === undefined || before.disabled ? before.disabledReason : null;
  return {
    disabled,
    disabledReason: disabled ? (disabledReason === undefined ? kept : disabledReason) : null,
    forcedDown: forcedDown ?? before.forcedDown,
  };
}
