// Reads usage: of a provider from its inventory records, of projects from the allocations of their consumers.
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import type { SqlReader, SqlValue } from '../../platform/database/sql';
import type { JoinedRow } from '../../platform/database/table';
import { byText } from '../../platform/values/text-order';
import type { Uuid } from '../../platform/values/uuid';

/** A provider's generation and its usage by resource class, read in one statement. */
export interface ProviderUsages {
  readonly generation: number;
  readonly used: ReadonlyMap<string, number>;
}

export type ConsumerTypes =
  /** One sum over all consumers. */
  | { readonly kind: 'together' }
  /** One sum for each type. */
  | { readonly kind: 'each' }
  /** Only consumers without a type. */
  | { readonly kind: 'untyped' }
  | { readonly kind: 'one'; readonly name: string };

export interface UsageQuestion {
  readonly project: string;
  readonly user?: string;
  readonly types: ConsumerTypes;
}

/** The sums over the consumers of one type. */
export interface TypeUsages {
  /** Null: consumers without a type, or all types together. */
  readonly type: string | null;
  readonly consumerCount: number;
  readonly used: ReadonlyMap<string, number>;
}

type ProviderRow = { readonly generation: number } & JoinedRow<{
  readonly resourceClass: string;
  readonly used: number;
}>;

/** One statement, so the generation belongs to these amounts. */
export async function findProviderUsages(sql: SqlReader, provider: Uuid): Promise<ProviderUsages | undefined> {
  const rows = await sql.query<ProviderRow>(
    'SELECT p.generation, c.name AS resourceClass, i.used FROM resource_providers p ' +
      'LEFT JOIN inventories i ON i.resource_provider_id = p.id ' +
      'LEFT JOIN resource_classes c ON c.id = i.resource_class_id WHERE p.uuid = ? ORDER BY i.resource_class_id',
    [provider],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const used = new Map<string, number>();
  for (const row of rows) if (row.resourceClass !== null) used.set(row.resourceClass, row.used);
  return { generation: first.generation, used };
}

/** A position in the index of a project's consumers. */
interface Place {
  readonly userId: number;
  readonly consumerId: number;
}

/** The sums over some consumers of a project. */
export interface UsagePart {
  readonly sums: readonly SumRow[];
  /** How many consumers were read, and the last of them; null if there were none. */
  readonly consumers: number;
  readonly last: Place | null;
}

/** One of the databases returns a sum as text. */
interface SumRow {
  readonly consumer_type: string | null;
  readonly class_id: number | null;
  readonly resource_class: string | null;
  readonly amount: number | string;
}

interface Row extends SumRow {
  readonly last_user: number | null;
  readonly last_id: number | null;
}

/** Class id of the row with the number and the last of the consumers. */
const PLACE = -1;

/**
 * The sums over the first `limit` consumers of the project, or over those after a place: of the same user, or of later
 * users. One statement: amounts by class and, in the row without a class, the number of distinct consumers.
 */
export async function projectUsages(
  sql: SqlReader,
  question: UsageQuestion,
  limit: number,
  after?: { readonly place: Place; readonly isSameUser: boolean },
): Promise<UsagePart> {
  const [part, partParams] = partOf(question, limit, after);
  const [heldCondition, heldParams] = heldBy(question);
  const rows = await sql.query<Row>(
    `WITH part AS (${part}), held AS (${heldCondition}) ` +
      'SELECT consumer_type, NULL AS class_id, NULL AS resource_class, COUNT(DISTINCT consumer_id) AS amount, ' +
      'NULL AS last_user, NULL AS last_id FROM held GROUP BY consumer_type ' +
      'UNION ALL ' +
      'SELECT held.consumer_type, c.id, c.name, SUM(held.used), NULL, NULL FROM held ' +
      'JOIN resource_classes c ON c.id = held.resource_class_id GROUP BY held.consumer_type, c.id, c.name ' +
      'UNION ALL ' +
      `SELECT NULL, ${PLACE}, NULL, COUNT(*), MAX(user_id), ` +
      'MAX(CASE WHEN user_id = (SELECT MAX(user_id) FROM part) THEN id END) FROM part',
    [...partParams, ...heldParams],
  );
  const place = rows.find((row) => row.class_id === PLACE);
  const { last_user: userId = null, last_id: consumerId = null } = place ?? {};
  return {
    sums: rows.filter((row) => row !== place),
    consumers: Number(place?.amount ?? 0),
    last: userId === null || consumerId === null ? null : { userId, consumerId },
  };
}

type Condition = readonly [sql: string, params: readonly SqlValue[]];

function partOf(
  { project, user }: UsageQuestion,
  limit: number,
  after?: { readonly place: Place; readonly isSameUser: boolean },
): Condition {
  const conditions: Condition[] = [['k.project_id = (SELECT id FROM projects WHERE external_id = ?)', [project]]];
  if (user !== undefined) conditions.push(['k.user_id = (SELECT id FROM users WHERE external_id = ?)', [user]]);
  if (after !== undefined) {
    const { userId, consumerId } = after.place;
    conditions.push(
      after.isSameUser ? ['k.user_id = ? AND k.id > ?', [userId, consumerId]] : ['k.user_id > ?', [userId]],
    );
  }
  const sql =
    'SELECT k.id, k.user_id, k.consumer_type_id FROM consumers k ' +
    `WHERE ${conditions.map(([text]) => text).join(' AND ')} ORDER BY k.user_id, k.id LIMIT ${limit}`;
  return [sql, conditions.flatMap(([, params]) => params)];
}

/** Filters the types only here, so `limit` also bounds the consumers of other types that are skipped. */
function heldBy({ types }: UsageQuestion): Condition {
  const [condition, params] = conditionOf(types);
  const sql =
    `SELECT ${types.kind === 'together' ? 'NULL' : 't.name'} AS consumer_type, ` +
    'a.consumer_id, a.resource_class_id, a.used FROM part k ' +
    'LEFT JOIN consumer_types t ON t.id = k.consumer_type_id JOIN allocations a ON a.consumer_id = k.id' +
    (condition === '' ? '' : ` WHERE ${condition}`);
  return [sql, params];
}

function conditionOf(types: ConsumerTypes): Condition {
  if (types.kind === 'untyped') return ['k.consumer_type_id IS NULL', []];
  return types.kind === 'one' ? ['t.name = ?', [types.name]] : ['', []];
}

/** One group per type, starting with consumers without a type. Every consumer must be in exactly one part. */
export function joinedUsages(parts: readonly UsagePart[]): readonly TypeUsages[] {
  const groups = new Map<string | null, { consumerCount: number; readonly used: Map<number, [string, number]> }>();
  for (const { consumer_type: type, class_id: id, resource_class: name, amount } of parts.flatMap(({ sums }) => sums)) {
    const group = groups.get(type) ?? { consumerCount: 0, used: new Map<number, [string, number]>() };
    groups.set(type, group);
    if (id === null || name === null) group.consumerCount += Number(amount);
    else group.used.set(id, [name, (group.used.get(id)?.[1] ?? 0) + Number(amount)]);
  }
  return [...groups].sort(byText(([type]) => type ?? '')).map(([type, { consumerCount, used }]) => ({
    type,
    consumerCount,
    used: new Map([...used].sort(([a], [b]) => a - b).map(([, share]) => share)),
  }));
}

/** Consumers in ranges of ids: after the first, up to the second. */
async function* consumerRanges(sql: SqlReader): AsyncIterable<readonly [after: number, last: number]> {
  const part = `SELECT id FROM consumers WHERE id > ? ORDER BY id LIMIT ${DATABASE_LIMITS.consumersPerRead}`;
  for (let after = 0; ;) {
    const [range] = await sql.query<{ last: number | null }>(`SELECT MAX(id) AS last FROM (${part}) part`, [after]);
    if (range === undefined || range.last === null) return;
    yield [after, range.last];
    after = range.last;
  }
}

/** A sum over some consumers: of a project, or of one consumer. */
type PartialSum = Readonly<Record<'owner' | 'name', string> & Pick<SumRow, 'amount'>>;

/** By project: sums by class, and as `instances` the number of consumers of the type INSTANCE or without a type. */
export async function sumsByProject(sql: SqlReader): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  // Names are joined to the sums: joined before them, MariaDB reads all consumers for each range.
  const range = 'WHERE k.id > ? AND k.id <= ? GROUP BY k.project_id';
  const text =
    'SELECT o.external_id AS owner, r.name, s.amount FROM (SELECT k.project_id, a.resource_class_id, SUM(a.used) AS amount ' +
    `FROM consumers k JOIN allocations a ON a.consumer_id = k.id ${range}, a.resource_class_id) s ` +
    'JOIN projects o ON o.id = s.project_id JOIN resource_classes r ON r.id = s.resource_class_id ' +
    "UNION ALL SELECT o.external_id, 'instances', s.amount FROM (SELECT k.project_id, " +
    "SUM(COALESCE(t.name, 'INSTANCE') = 'INSTANCE') AS amount FROM consumers k " +
    `LEFT JOIN consumer_types t ON t.id = k.consumer_type_id ${range}) s JOIN projects o ON o.id = s.project_id`;
  const found = new Map<string, Map<string, number>>();
  for await (const ids of consumerRanges(sql)) {
    for (const { owner, name, amount } of await sql.query<PartialSum>(text, [...ids, ...ids])) {
      const sums = found.get(owner) ?? new Map<string, number>();
      found.set(owner, sums.set(name, (sums.get(name) ?? 0) + Number(amount)));
    }
  }
  return found;
}

/** Uuids of the project's consumers with the largest amounts of a class, largest first. */
export async function largestConsumers(
  sql: SqlReader,
  asked: readonly [project: string, resourceClass: string],
  limit: number,
): Promise<readonly Uuid[]> {
  const text =
    'SELECT k.uuid AS owner, SUM(a.used) AS amount FROM consumers k JOIN allocations a ON a.consumer_id = k.id ' +
    'JOIN projects o ON o.id = k.project_id JOIN resource_classes r ON r.id = a.resource_class_id WHERE k.id > ? ' +
    `AND k.id <= ? AND o.external_id = ? AND r.name = ? GROUP BY k.id, k.uuid ORDER BY amount DESC, k.id LIMIT ${limit}`;
  const found: PartialSum[] = [];
  for await (const range of consumerRanges(sql))
    found.push(...(await sql.query<PartialSum>(text, [...range, ...asked])));
  found.sort((a, b) => Number(b.amount) - Number(a.amount));
  return found.slice(0, limit).map(({ owner }) => owner);
}
