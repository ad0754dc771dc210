// Which providers have something that many may have: the rows of a table of pairs. Writers hold the providers' rows first.
import { DATABASE_LIMITS } from '../config/limits';
import { anyOf, chunks } from '../database/sql';
import type { SqlValue, WriteTx } from '../database/sql';
import { Table } from '../database/table';

/** A provider and the row of what it has. */
export interface ProviderLink {
  readonly providerId: number;
  readonly id: number;
}

/** Below every database's bound of nested conditions. */
const LINKS_PER_DELETE = 400;

export class ProviderLinks {
  private readonly table: Table<ProviderLink>;

  constructor(entity: new () => ProviderLink) {
    this.table = new Table(entity);
  }

  /** What is there already stays. Fails on a foreign key where what is linked to is gone. */
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

  /** Answers how many the provider had. */
  removeAll(tx: WriteTx, providerId: number): Promise<number> {
    return tx.run(`DELETE FROM ${this.table.name} WHERE resource_provider_id = ?`, [providerId]);
  }
}

const inOrder = (links: readonly ProviderLink[]): readonly ProviderLink[] =>
  [...links].sort((a, b) => a.providerId - b.providerId || a.id - b.id);
