// Reads the Placement data of Berth in bounded pages from one snapshot, for exports to a database or a file.
import { StoredProviderAggregate } from '../../placement/aggregates/aggregate.entity';
import { StoredAllocation } from '../../placement/consumers/allocation.entity';
import { StoredConsumer } from '../../placement/consumers/consumer.entity';
import { StoredInventory } from '../../placement/inventories/inventory.entity';
import { StoredProviderTrait } from '../../placement/provider-traits/provider-trait.entity';
import type { ProviderLink } from '../../placement/resource-providers/provider-links.writes';
import { StoredProvider } from '../../placement/resource-providers/resource-provider.entity';
import type { StoredTrait } from '../../placement/traits/trait.entity';
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import type { SqlReader } from '../../platform/database/sql';
import { queryAmong } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import type { LinkKind, NameTable } from '../name-tables';
import { LINK_COLUMNS, NAME_TABLES } from '../name-tables';
import { pagesById } from '../rows';

export type OwnName = Pick<StoredTrait, 'id' | 'name' | 'createdAtMs' | 'updatedAtMs'>;

const PROVIDERS = new Table(StoredProvider).without('holds', 'reported', 'changedAt');
const INVENTORIES = new Table(StoredInventory).without('id', 'capacity', 'used', 'version', 'changedAt');
const CONSUMERS = new Table(StoredConsumer).all;
const ALLOCATIONS = new Table(StoredAllocation).all;
const LINKS = { traits: new Table(StoredProviderTrait).all, aggregates: new Table(StoredProviderAggregate).all };

export type OwnProvider = RowOf<typeof PROVIDERS>;
type OwnInventory = RowOf<typeof INVENTORIES>;

export class BerthRows {
  constructor(private readonly sql: SqlReader) {}

  async count(table: string): Promise<number> {
    const [row] = await this.sql.query<{ rows_in: number }>(`SELECT COUNT(*) AS rows_in FROM ${table}`);
    return Number(row?.rows_in ?? 0);
  }

  names(table: NameTable): AsyncGenerator<readonly OwnName[]> {
    const { column, isDated } = NAME_TABLES[table];
    const updatedAt = isDated ? 'updated_at' : 'NULL';
    return this.pages<OwnName>(table, `id, ${column} AS name, created_at AS createdAtMs, ${updatedAt} AS updatedAtMs`);
  }

  /** Sorted by id. */
  providers(): AsyncGenerator<readonly OwnProvider[]> {
    return this.pages<OwnProvider>('resource_providers', PROVIDERS.as('o'));
  }

  inventoriesOf(providerIds: readonly number[]): Promise<readonly OwnInventory[]> {
    return this.among<OwnInventory>(
      `${INVENTORIES.as('i')} FROM inventories i WHERE resource_provider_id`,
      providerIds,
      'ORDER BY resource_provider_id, resource_class_id',
    );
  }

  linksOf(of: LinkKind, providerIds: readonly number[]): Promise<readonly ProviderLink[]> {
    return this.among<ProviderLink>(
      `${LINKS[of].as('l')} FROM resource_provider_${of} l WHERE resource_provider_id`,
      providerIds,
      `ORDER BY resource_provider_id, ${LINK_COLUMNS[of]}`,
    );
  }

  /** Sorted by uuid. */
  async *consumers(): AsyncGenerator<readonly StoredConsumer[]> {
    for (let after = ''; ;) {
      const rows = await this.sql.query<StoredConsumer>(
        `SELECT ${CONSUMERS.as('c')} FROM consumers c WHERE uuid > ? ORDER BY uuid LIMIT ?`,
        [after, TRANSFER_LIMITS.consumersPerPage],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = last.uuid;
    }
  }

  allocationsOf(consumerIds: readonly number[]): Promise<readonly StoredAllocation[]> {
    return this.among<StoredAllocation>(
      `${ALLOCATIONS.as('a')} FROM allocations a WHERE consumer_id`,
      consumerIds,
      'ORDER BY consumer_id, resource_provider_id, resource_class_id',
    );
  }

  private among<R>(text: string, ids: readonly number[], order: string): Promise<readonly R[]> {
    const size = TRANSFER_LIMITS.consumersPerPage;
    return queryAmong<R>(this.sql, ids, (marks) => `SELECT ${text} IN (${marks}) ${order}`, { size });
  }

  private pages<R extends { readonly id: number }>(table: string, columns: string): AsyncGenerator<readonly R[]> {
    const text = `SELECT ${columns} FROM ${table} o WHERE id > ? ORDER BY id LIMIT ?`;
    return pagesById((after) => this.sql.query<R>(text, [after, TRANSFER_LIMITS.namesPerPage]));
  }
}
