// Rows of the tables that link providers to traits or aggregates. Writers hold the rows of the providers first.
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import type { SqlValue, WriteTx } from '../../platform/database/sql';
import { anyOf, chunks } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';

/** A provider and the row of the trait or aggregate. */
export interface ProviderLink {
  readonly providerId: number;
  readonly id: number;
}

/** Below the limit of nested conditions in every database. */
const LINKS_PER_DELETE = 400;

export class ProviderLinks {
  private readonly table: Table<ProviderLink>;

  constructor(entity: new () => ProviderLink) {
    this.table = new Table(entity);
  }

  /** Keeps existing links. Fails with a foreign-key error if the trait or aggregate does not exist. */
  async add(tx: WriteTx, links: readonly ProviderLink[]): Promise<void> {
    const keep = tx.dialect.onDuplicate(this.table.all.names.join(', '), [this.table.nameOf('id')]);
    for (const part of chunks(inOrder(links), DATABASE_LIMITS.rowsPerInsert)) {
      const { sql, params } = this.table.all.insert(part);
      await tx.run(sql + keep, params);
    }
  }

  async remove(tx: WriteTx, links: readonly ProviderLink[]): Promise<void> {
    for (const part of chunks(inOrder(links), LINKS_PER_DELETE)) {
      await tx.run(
        `DELETE FROM ${this.table.name} WHERE ${anyOf(part.map(() => `(resource_provider_id = ? AND ${this.table.nameOf('id')} = ?)`))}`,
        part.flatMap(({ providerId, id }): SqlValue[] => [providerId, id]),
      );
    }
  }

  /** Returns how many links the provider had. */
  removeAll(tx: WriteTx, providerId: number): Promise<number> {
    return tx.run(`DELETE FROM ${this.table.name} WHERE resource_provider_id = ?`, [providerId]);
  }
}

const inOrder = (links: readonly ProviderLink[]): readonly ProviderLink[] =>
  [...links].sort((a, b) => a.providerId - b.providerId || a.id - b.id);
