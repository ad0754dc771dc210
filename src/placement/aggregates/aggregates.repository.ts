// Aggregates and their members in the database. An aggregate is a uuid that a client has named; it is never deleted.
// Writers lock the provider's row first.
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { marks, queryAmong } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import { ProviderLinks } from '../resource-providers/provider-links.writes';
import { StoredAggregate, StoredProviderAggregate } from './aggregate.entity';

/** A provider's generation and aggregates, read in one statement. Aggregates are sorted by id. */
export interface ProviderAggregates {
  readonly generation: number;
  readonly aggregates: readonly Uuid[];
}

interface Row {
  readonly generation: number;
  readonly uuid: Uuid | null;
}

/** One statement, so the generation belongs to exactly these aggregates. */
export async function findProviderAggregates(sql: SqlReader, provider: Uuid): Promise<ProviderAggregates | undefined> {
  const rows = await sql.query<Row>(
    'SELECT p.generation, a.uuid FROM resource_providers p ' +
      'LEFT JOIN resource_provider_aggregates pa ON pa.resource_provider_id = p.id ' +
      'LEFT JOIN placement_aggregates a ON a.id = pa.aggregate_id WHERE p.uuid = ? ORDER BY a.id',
    [provider],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  return { generation: first.generation, aggregates: rows.flatMap(({ uuid }) => (uuid === null ? [] : [uuid])) };
}

const AGGREGATES = new Table(StoredAggregate);
const KNOWN = AGGREGATES.only('id', 'uuid');
const CREATED = AGGREGATES.without('id');

type KnownAggregate = RowOf<typeof KNOWN>;

const idsByUuid = (rows: readonly KnownAggregate[]): ReadonlyMap<Uuid, number> =>
  new Map(rows.map(({ id, uuid }) => [uuid, id]));

/** Ids by uuid of the aggregates that contain a provider. */
export async function aggregatesOf(sql: SqlReader, providerId: number): Promise<ReadonlyMap<Uuid, number>> {
  const rows = await sql.query<KnownAggregate>(
    `SELECT ${KNOWN.as('a')} FROM resource_provider_aggregates pa ` +
      'JOIN placement_aggregates a ON a.id = pa.aggregate_id WHERE pa.resource_provider_id = ?',
    [providerId],
  );
  return idsByUuid(rows);
}

/** Ids by uuid; missing aggregates are skipped. */
export async function findAggregateIds(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, number>> {
  const text = (among: string): string =>
    `SELECT ${KNOWN.as('a')} FROM placement_aggregates a WHERE a.uuid IN (${among})`;
  return idsByUuid(await queryAmong(sql, uuids, text));
}

/** Returns the ids of all aggregates and creates the missing ones, in the order of uuids: this prevents deadlocks. */
export async function ensureAggregates(tx: WriteTx, uuids: readonly Uuid[], nowMs: number): Promise<readonly number[]> {
  const known = await findAggregateIds(tx, uuids);
  const missing = uuids.filter((uuid) => !known.has(uuid)).sort();
  if (missing.length === 0) return [...known.values()];
  const rows = missing.map((uuid) => ({ uuid, createdAtMs: nowMs }));
  await CREATED.insertAll(tx, rows, { suffix: tx.dialect.onDuplicateIgnore('uuid') });
  return [...known.values(), ...(await findAggregateIds(tx, missing)).values()];
}

export const providerAggregates = new ProviderLinks(StoredProviderAggregate);

/** The requested and the current membership of a provider in an aggregate. */
export interface AskedAssociation {
  readonly providerId: number;
  readonly aggregate: Uuid;
  readonly isWanted: boolean;
  readonly isThere: boolean;
}

/** The requested and current memberships of the existing providers. Takes no lock. */
export async function associationsOf(
  sql: SqlReader,
  changes: readonly { readonly aggregate: Uuid; readonly add: readonly Uuid[]; readonly remove: readonly Uuid[] }[],
): Promise<readonly AskedAssociation[]> {
  const uuids = [...new Set(changes.flatMap(({ add, remove }) => [...add, ...remove]))];
  const aggregates = [...new Set(changes.map(({ aggregate }) => aggregate))];
  const members = new Map<Uuid, { id: number; aggregates: Set<Uuid> }>();
  const rows = await queryAmong<{ id: number; uuid: Uuid; aggregate: Uuid | null }>(
    sql,
    uuids,
    (among) =>
      'SELECT p.id, p.uuid, a.uuid AS aggregate FROM resource_providers p ' +
      'LEFT JOIN resource_provider_aggregates pa ON pa.resource_provider_id = p.id ' +
      `LEFT JOIN placement_aggregates a ON a.id = pa.aggregate_id AND a.uuid IN (${marks(aggregates.length)}) ` +
      `WHERE p.uuid IN (${among})`,
    { before: aggregates },
  );
  for (const { id, uuid, aggregate } of rows) {
    const member = members.get(uuid) ?? { id, aggregates: new Set<Uuid>() };
    members.set(uuid, member);
    if (aggregate !== null) member.aggregates.add(aggregate);
  }
  const associationOf = (uuid: Uuid, aggregate: Uuid, isWanted: boolean): readonly AskedAssociation[] => {
    const member = members.get(uuid);
    if (member === undefined) return [];
    return [{ providerId: member.id, aggregate, isWanted, isThere: member.aggregates.has(aggregate) }];
  };
  return changes.flatMap(({ aggregate, add, remove }) => [
    ...add.flatMap((uuid) => associationOf(uuid, aggregate, true)),
    ...remove.flatMap((uuid) => associationOf(uuid, aggregate, false)),
  ]);
}
