// Finds and repairs rows that refer to missing rows. Foreign keys prevent such rows. A restored dump, a manual change
// or a database with disabled checks can still contain them.
import { REPAIR_LIMITS } from '../../platform/config/limits/transfer';
import type { SqlReader, SqlValue, WriteTx } from '../../platform/database/sql';

/** A required reference, and the repair of a row that violates it. */
interface OrphanRule {
  readonly table: string;
  /** Columns that identify the row, including its primary key. */
  readonly key: readonly string[];
  readonly what: string;
  /** SQL condition that is true if row `x` is an orphan. */
  readonly where: string;
  /** The repair with its reason, for the operator. */
  readonly repair: string;
  /** Column to set to NULL; if absent, the row is deleted. */
  readonly cleared?: string;
  /** The column with the provider or host aggregate whose change must be reported to readers. */
  readonly changed?: { readonly kind: 'tree' | 'hostAggregate'; readonly column: string };
}

const lacks = (column: string, table: string, key = 'id'): string =>
  `NOT EXISTS (SELECT 1 FROM ${table} y WHERE y.${key} = x.${column})`;
const OF_PROVIDER = { kind: 'tree', column: 'resource_provider_id' } as const;
const OF_AGGREGATE = { kind: 'hostAggregate', column: 'aggregate_id' } as const;

/** In the order of repair: dependent rows before the rows that they depend on. */
export const ORPHAN_RULES: readonly OrphanRule[] = [
  {
    table: 'resource_provider_traits',
    key: ['resource_provider_id', 'trait_id'],
    what: 'trait of a resource provider',
    where: `${lacks('resource_provider_id', 'resource_providers')} OR ${lacks('trait_id', 'traits')}`,
    repair: 'removed: the provider or the trait does not exist',
    changed: OF_PROVIDER,
  },
  {
    table: 'resource_provider_aggregates',
    key: ['resource_provider_id', 'aggregate_id'],
    what: 'aggregate of a resource provider',
    where: `${lacks('resource_provider_id', 'resource_providers')} OR ${lacks('aggregate_id', 'placement_aggregates')}`,
    repair: 'removed: the provider or the aggregate does not exist',
    changed: OF_PROVIDER,
  },
  {
    table: 'allocations',
    key: ['consumer_id', 'resource_provider_id', 'resource_class_id'],
    what: 'allocation',
    where: lacks('consumer_id', 'consumers'),
    repair: 'removed: its consumer does not exist, so it could never be released',
    changed: OF_PROVIDER,
  },
  {
    table: 'allocations',
    key: ['consumer_id', 'resource_provider_id', 'resource_class_id'],
    what: 'allocation',
    where:
      'NOT EXISTS (SELECT 1 FROM inventories y JOIN resource_providers p ON p.id = y.resource_provider_id ' +
      'WHERE y.resource_provider_id = x.resource_provider_id AND y.resource_class_id = x.resource_class_id)',
    repair: 'removed: there is no inventory, or no provider, for it',
    changed: OF_PROVIDER,
  },
  {
    table: 'inventories',
    key: ['id', 'resource_provider_id', 'resource_class_id'],
    what: 'inventory',
    where: `${lacks('resource_provider_id', 'resource_providers')} OR ${lacks('resource_class_id', 'resource_classes')}`,
    repair: 'removed: the provider or the class does not exist',
    changed: OF_PROVIDER,
  },
  {
    table: 'resource_providers',
    key: ['id'],
    what: 'parent of resource provider',
    where: `x.parent_provider_id IS NOT NULL AND ${lacks('parent_provider_id', 'resource_providers')}`,
    repair: 'made a root: its parent does not exist',
    cleared: 'parent_provider_id',
    changed: { kind: 'tree', column: 'id' },
  },
  {
    table: 'server_group_members',
    key: ['group_id', 'instance_uuid'],
    what: 'member of a server group',
    where: lacks('group_id', 'server_groups'),
    repair: 'removed: the group does not exist',
  },
  {
    table: 'host_aggregate_hosts',
    key: ['aggregate_id', 'host'],
    what: 'host of a host aggregate',
    where: lacks('aggregate_id', 'host_aggregates'),
    repair: 'removed: the host aggregate does not exist',
    changed: OF_AGGREGATE,
  },
  {
    table: 'host_aggregate_metadata',
    key: ['aggregate_id', 'name'],
    what: 'metadata of a host aggregate',
    where: lacks('aggregate_id', 'host_aggregates'),
    repair: 'removed: the host aggregate does not exist',
    changed: OF_AGGREGATE,
  },
];

interface Orphan {
  readonly rule: OrphanRule;
  readonly key: readonly SqlValue[];
}

export async function findOrphans(sql: SqlReader, rule: OrphanRule): Promise<readonly Orphan[]> {
  const rows = await sql.query<Readonly<Record<string, SqlValue>>>(
    `SELECT ${rule.key.map((column) => `x.${column}`).join(', ')} FROM ${rule.table} x WHERE ${rule.where} ` +
      `LIMIT ${REPAIR_LIMITS.foundPerRound}`,
  );
  return rows.map((row) => ({ rule, key: rule.key.map((column) => row[column] ?? null) }));
}

/** Text for the operator. */
export const orphanSubject = ({ rule, key }: Orphan): string =>
  `${rule.what} (${rule.key.map((column, at) => `${column} ${key[at] ?? ''}`).join(', ')})`;

/** Skips rows that are no longer orphans. Returns how many were repaired. */
export async function repairOrphans(tx: WriteTx, orphans: readonly Orphan[]): Promise<number> {
  let count = 0;
  for (const { rule, key } of orphans) {
    const where = rule.key.map((column) => `${column} = ?`).join(' AND ');
    const [row] = await tx.query(`SELECT 1 AS one FROM ${rule.table} x WHERE ${where} AND (${rule.where})`, key);
    if (row === undefined) continue;
    const { cleared, table, changed } = rule;
    count += await tx.run(
      cleared === undefined
        ? `DELETE FROM ${table} WHERE ${where}`
        : `UPDATE ${table} SET ${cleared} = NULL WHERE ${where}`,
      key,
    );
    if (changed !== undefined) tx.changes[changed.kind](Number(key[rule.key.indexOf(changed.column)]));
  }
  return count;
}
