// What operators say of compute services. The status and the trait on every root provider of the host change together.
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { SqlReader, WriteTx } from '../../../database/sql';
import { forgetReleasesOn, hasInstancesOn } from '../instances/instances.repository';
import { PlacementMirror } from '../placement-mirror.service';
import { REGISTRIES_CONFIG } from '../registries.config';
import type { RegistriesConfig } from '../registries.config';
import type { Page, PageQuery } from '../registry-page';
import { inUse, invalidField, notFound, refuseStale } from '../registry-refusals';
import * as repository from './services.repository';
import type { ComputeService, ServiceStatusFilter } from './services.repository';

export interface ShownService extends ComputeService {
  readonly nodes: readonly string[];
}

export interface ServiceChange {
  readonly status?: 'enabled' | 'disabled' | undefined;
  /** Null: none. */
  readonly disabledReason?: string | null | undefined;
  readonly forcedDown?: boolean | undefined;
  readonly generation?: number | undefined;
}

@Injectable()
export class ServicesService {
  constructor(
    private readonly db: Database,
    private readonly mirror: PlacementMirror,
    @Inject(REGISTRIES_CONFIG) readonly config: RegistriesConfig,
  ) {}

  /** Throws not_found. */
  get(host: string): Promise<ShownService> {
    return this.db.read((sql) => shown(sql, host));
  }

  list(filter: ServiceStatusFilter, page: PageQuery): Promise<Page<ShownService>> {
    return this.db.read(async (sql) => {
      const { items, next } = await repository.listServices(sql, filter, page);
      const nodes = await repository.nodesOf(
        sql,
        items.map(({ id }) => id),
      );
      return { items: items.map((each) => ({ ...each, nodes: nodes.get(each.id) ?? [] })), next };
    });
  }

  /** Throws not_found, generation_conflict, invalid_request. */
  change(host: string, change: ServiceChange): Promise<ShownService> {
    return this.db.write(async (tx) => {
      await this.changeIn(tx, host, change, Date.now());
      // Behind the commit somebody else may have removed it.
      return shown(tx, host);
    });
  }

  async changeIn(tx: WriteTx, host: string, change: ServiceChange, nowMs: number): Promise<void> {
    const before = await repository.holdService(tx, host);
    if (before === undefined) throw notFound(`service of host ${host}`);
    refuseStale(`service of host ${host}`, change.generation, before.generation);
    const after = changed(before, change);
    await repository.updateService(tx, before.id, after, nowMs);
    // Also when the status stays: whoever disables a disabled service wants its providers marked.
    if (change.status !== undefined) await this.mirror.setStatusIn(tx, host, after.disabled, nowMs);
    tx.changes.service(before.id);
  }

  /** Removes the service with its hosts; their providers stay. Throws not_found; in_use while anything is placed there. */
  remove(host: string): Promise<void> {
    return this.db.write((tx) => this.removeIn(tx, host));
  }

  async removeIn(tx: WriteTx, host: string): Promise<void> {
    const service = await repository.holdService(tx, host);
    if (service === undefined) throw notFound(`service of host ${host}`);
    if (await hasInstancesOn(tx, host)) throw inUse(`Instances are placed on host ${host}.`);
    await forgetReleasesOn(tx, host);
    await repository.deleteService(tx, service.id);
    tx.changes.service(service.id);
  }
}

/** Throws not_found. */
async function shown(sql: SqlReader, host: string): Promise<ShownService> {
  const found = await repository.findService(sql, host);
  if (found === undefined) throw notFound(`service of host ${host}`);
  return { ...found, nodes: (await repository.nodesOf(sql, [found.id])).get(found.id) ?? [] };
}

/** A reason belongs to a disabled service, and goes when it is enabled. */
function changed(
  before: ComputeService,
  { status, disabledReason, forcedDown }: ServiceChange,
): Pick<ComputeService, 'disabled' | 'disabledReason' | 'forcedDown'> {
  const disabled = status === undefined ? before.disabled : status === 'disabled';
  const isGiven = disabledReason !== undefined && disabledReason !== null;
  if (isGiven && !disabled) throw invalidField('disabled_reason', 'only a disabled service has a reason');
  const kept = status === undefined || before.disabled ? before.disabledReason : null;
  return {
    disabled,
    disabledReason: disabled ? (disabledReason === undefined ? kept : disabledReason) : null,
    forcedDown: forcedDown ?? before.forcedDown,
  };
}

/** A zone by name, as a condition. */
export const zoneFilter = (
  name: string | undefined,
  config: RegistriesConfig,
): { readonly name: string; readonly isDefault: boolean } | undefined =>
  name === undefined ? undefined : { name, isDefault: name === config.defaultZone };
