// Reads what is used: of one provider from its inventory records, of a project from the allocations of its consumers.
import type { SqlReader, SqlValue } from '../database/sql';
import type { Uuid } from '../domain/uuid';

/** A provider's generation and, seen at the same moment, what is used of each class it has inventory of. */
export interface ProviderUsages {
  readonly generation: number;
  readonly used: ReadonlyMap<string, number>;
}

export type ConsumerTypes =
  /** One sum over all consumers. */
  | { readonly kind: 'together' }
  /** One sum for each type. */
  | { readonly kind: 'each' }
  /** Only consumers that never got a type. */
  | { readonly kind: 'untyped' }
  | { readonly kind: 'one'; readonly name: string };

export interface UsageQuestion {
  readonly project: string;
  readonly user?: string;
  readonly types: ConsumerTypes;
}

/** What the consumers of one type hold together. */
export interface TypeUsages {
  /** Null: consumers without a type, or all types in one. */
  readonly type: string | null;
  readonly consumerCount: number;
  readonly used: ReadonlyMap<string, number>;
}

interface ProviderRow {
  readonly generation: number;
  readonly resource_class: string | null;
  readonly used: number;
}

/** One statement, so that the generation belongs to these amounts. */
export async function findProviderUsages(sql: SqlReader, provider: Uuid): Promise<ProviderUsages | undefined> {
  const rows = await sql.query<ProviderRow>(
    'SELECT p.generation, c.name AS resource_class, i.used FROM resource_providers p ' +
      'LEFT JOIN inventories i ON i.resource_provider_id = p.id ' +
      'LEFT JOIN resource_classes c ON c.id = i.resource_class_id WHERE p.uuid = ? ORDER BY i.resource_class_id',
    [provider],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const used = new Map<string, number>();
  for (const row of rows) if (row.resource_class !== null) used.set(row.resource_class, row.used);
  return { generation: first.generation, used };
}

/** A sum comes back as text on one of the databases. */
interface SumRow {
  readonly consumer_type: string | null;
  readonly resource_class: string | null;
  readonly amount: number | string;
}

/**
 * One group per type, those without a type first; none where nothing is held. One statement: amounts by class and,
 * in the row without a class, the number of distinct consumers.
 */
export async function projectUsages(sql: SqlReader, question: UsageQuestion): Promise<readonly TypeUsages[]> {
  const [held, params] = heldAllocations(question);
  const rows = await sql.query<SumRow>(
    `WITH held AS (${held}) ` +
      'SELECT consumer_type, NULL AS class_id, NULL AS resource_class, COUNT(DISTINCT consumer_id) AS amount ' +
      'FROM held GROUP BY consumer_type ' +
      'UNION ALL ' +
      'SELECT held.consumer_type, c.id, c.name, SUM(held.used) FROM held ' +
      'JOIN resource_classes c ON c.id = held.resource_class_id GROUP BY held.consumer_type, c.id, c.name ' +
      'ORDER BY consumer_type, class_id',
    params,
  );
  return grouped(rows);
}

function heldAllocations({ project, user, types }: UsageQuestion): readonly [sql: string, params: readonly SqlValue[]] {
  const conditions = ['p.external_id = ?'];
  const params: SqlValue[] = [project];
  if (user !== undefined) {
    conditions.push('u.external_id = ?');
    params.push(user);
  }
  if (types.kind === 'untyped') conditions.push('k.consumer_type_id IS NULL');
  if (types.kind === 'one') {
    conditions.push('t.name = ?');
    params.push(types.name);
  }
  const sql =
    `SELECT ${types.kind === 'together' ? 'NULL' : 't.name'} AS consumer_type, ` +
    'a.consumer_id, a.resource_class_id, a.used FROM projects p ' +
    `JOIN consumers k ON k.project_id = p.id ${user === undefined ? '' : 'JOIN users u ON u.id = k.user_id '}` +
    'LEFT JOIN consumer_types t ON t.id = k.consumer_type_id JOIN allocations a ON a.consumer_id = k.id ' +
    `WHERE ${conditions.join(' AND ')}`;
  return [sql, params];
}

function grouped(rows: readonly SumRow[]): readonly TypeUsages[] {
  const groups = new Map<string | null, { type: string | null; consumerCount: number; used: Map<string, number> }>();
  for (const { consumer_type: type, resource_class: resourceClass, amount } of rows) {
    const group = groups.get(type) ?? { type, consumerCount: 0, used: new Map<string, number>() };
    groups.set(type, group);
    if (resourceClass === null) group.consumerCount = Number(amount);
    else group.used.set(resourceClass, Number(amount));
  }
  return [...groups.values()];
}
