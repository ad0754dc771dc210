// What Berth holds for Placement, read in bounded pieces in one state: for the reference's schema, and for files.
import { TRANSFER_LIMITS } from '../../config/limits';
import { chunks, marks } from '../../database/sql';
import type { SqlReader } from '../../database/sql';
import type { Uuid } from '../../domain/uuid';
import type { ReferenceInventoryRow } from '../reference/reader';

export interface OwnName {
  readonly id: number;
  readonly name: string;
  readonly created_at: number;
  readonly updated_at: number | null;
}

export interface OwnProvider {
  readonly id: number;
  readonly uuid: Uuid;
  readonly name: string;
  readonly generation: number;
  readonly parent_provider_id: number | null;
  readonly root_provider_id: number;
  readonly created_at: number;
  readonly updated_at: number | null;
}

interface OwnInventory extends Omit<ReferenceInventoryRow, 'created_at' | 'updated_at'> {
  readonly created_at: number;
  readonly updated_at: number | null;
}

export interface OwnLink {
  readonly resource_provider_id: number;
  readonly ref_id: number;
}

interface OwnConsumer {
  readonly id: number;
  readonly uuid: Uuid;
  readonly generation: number;
  readonly project_id: number;
  readonly user_id: number;
  readonly consumer_type_id: number | null;
  readonly created_at: number;
  readonly updated_at: number | null;
}

interface OwnAllocation {
  readonly consumer_id: number;
  readonly resource_provider_id: number;
  readonly resource_class_id: number;
  readonly used: number;
  readonly created_at: number;
}

/** Tables of names: the column of the name, and whether a change of it is dated. */
const NAMES = {
  resource_classes: ['name', 'updated_at'],
  traits: ['name', 'updated_at'],
  placement_aggregates: ['uuid', 'NULL'],
  projects: ['external_id', 'NULL'],
  users: ['external_id', 'NULL'],
  consumer_types: ['name', 'NULL'],
} as const;
export type OwnNameTable = keyof typeof NAMES;

export class BerthRows {
  constructor(private readonly sql: SqlReader) {}

  async count(table: string): Promise<number> {
    const [row] = await this.sql.query<{ rows_in: number }>(`SELECT COUNT(*) AS rows_in FROM ${table}`);
    return Number(row?.rows_in ?? 0);
  }

  names(table: OwnNameTable): AsyncGenerator<readonly OwnName[]> {
    const [column, updatedAt] = NAMES[table];
    return this.pages<OwnName>(table, `id, ${column} AS name, created_at, ${updatedAt} AS updated_at`);
  }

  /** In the order of ids. */
  providers(): AsyncGenerator<readonly OwnProvider[]> {
    return this.pages<OwnProvider>(
      'resource_providers',
      'id, uuid, name, generation, parent_provider_id, root_provider_id, created_at, updated_at',
    );
  }

  inventoriesOf(providerIds: readonly number[]): Promise<readonly OwnInventory[]> {
    return this.among<OwnInventory>(
      'resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, ' +
        'created_at, updated_at FROM inventories WHERE resource_provider_id',
      providerIds,
      'ORDER BY resource_provider_id, resource_class_id',
    );
  }

  traitsOf(providerIds: readonly number[]): Promise<readonly OwnLink[]> {
    return this.among<OwnLink>(
      'resource_provider_id, trait_id AS ref_id FROM resource_provider_traits WHERE resource_provider_id',
      providerIds,
      'ORDER BY resource_provider_id, trait_id',
    );
  }

  aggregatesOf(providerIds: readonly number[]): Promise<readonly OwnLink[]> {
    return this.among<OwnLink>(
      'resource_provider_id, aggregate_id AS ref_id FROM resource_provider_aggregates WHERE resource_provider_id',
      providerIds,
      'ORDER BY resource_provider_id, aggregate_id',
    );
  }

  /** In the order of uuids. */
  async *consumers(): AsyncGenerator<readonly OwnConsumer[]> {
    for (let after = ''; ;) {
      const rows = await this.sql.query<OwnConsumer>(
        'SELECT id, uuid, generation, project_id, user_id, consumer_type_id, created_at, updated_at FROM consumers ' +
          'WHERE uuid > ? ORDER BY uuid LIMIT ?',
        [after, TRANSFER_LIMITS.consumersPerPage],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = last.uuid;
    }
  }

  allocationsOf(consumerIds: readonly number[]): Promise<readonly OwnAllocation[]> {
    return this.among<OwnAllocation>(
      'consumer_id, resource_provider_id, resource_class_id, used, created_at FROM allocations WHERE consumer_id',
      consumerIds,
      'ORDER BY consumer_id, resource_provider_id, resource_class_id',
    );
  }

  private async among<R>(text: string, ids: readonly number[], order: string): Promise<readonly R[]> {
    const found: R[] = [];
    for (const part of chunks(ids, TRANSFER_LIMITS.consumersPerPage)) {
      const rows = await this.sql.query<R>(`SELECT ${text} IN (${marks(part.length)}) ${order}`, part);
      for (const row of rows) found.push(row);
    }
    return found;
  }

  private async *pages<R extends { readonly id: number }>(
    table: string,
    columns: string,
  ): AsyncGenerator<readonly R[]> {
    for (let after = -1; ;) {
      const rows = await this.sql.query<R>(`SELECT ${columns} FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`, [
        after,
        TRANSFER_LIMITS.namesPerPage,
      ]);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = last.id;
    }
  }
}
