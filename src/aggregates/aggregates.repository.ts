// Aggregates in the database, and which provider is in which. An aggregate is a uuid that somebody once named; it is
// never removed. Writers hold the provider's row first.
import { DATABASE_LIMITS } from '../config/limits';
import { chunks, marks, rowMarks } from '../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../database/sql';
import type { Uuid } from '../domain/uuid';

/** A provider's generation and, seen at the same moment, its aggregates in the order of their ids. */
export interface ProviderAggregates {
  readonly generation: number;
  readonly aggregates: readonly Uuid[];
}

interface Row {
  readonly generation: number;
  readonly uuid: Uuid | null;
}

/** One statement, so that the generation guards exactly these aggregates. */
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

/** Ids by uuid of the aggregates that a provider is in. */
export async function aggregatesOf(sql: SqlReader, providerId: number): Promise<ReadonlyMap<Uuid, number>> {
  const rows = await sql.query<{ id: number; uuid: Uuid }>(
    'SELECT a.id, a.uuid FROM resource_provider_aggregates pa ' +
      'JOIN placement_aggregates a ON a.id = pa.aggregate_id WHERE pa.resource_provider_id = ?',
    [providerId],
  );
  return new Map(rows.map(({ id, uuid }) => [uuid, id]));
}

/** Ids by uuid, of those aggregates that exist. */
export async function findIds(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, number>> {
  const ids = new Map<Uuid, number>();
  for (const part of chunks(uuids, DATABASE_LIMITS.parametersPerStatement)) {
    const rows = await sql.query<{ id: number; uuid: Uuid }>(
      `SELECT id, uuid FROM placement_aggregates WHERE uuid IN (${marks(part.length)})`,
      part,
    );
    for (const { id, uuid } of rows) ids.set(uuid, id);
  }
  return ids;
}

/** Ids of all of them, created where missing; in the order of uuids, so that two creators of the same do not cross. */
export async function ensureAggregates(tx: WriteTx, uuids: readonly Uuid[], nowMs: number): Promise<readonly number[]> {
  const known = await findIds(tx, uuids);
  const missing = uuids.filter((uuid) => !known.has(uuid)).sort();
  if (missing.length === 0) return [...known.values()];
  for (const part of chunks(missing, DATABASE_LIMITS.rowsPerInsert)) {
    await tx.run(
      `INSERT INTO placement_aggregates (uuid, created_at) VALUES ${rowMarks(part.length, 2)}` +
        tx.dialect.onDuplicateIgnore('uuid'),
      part.flatMap((uuid): SqlValue[] => [uuid, nowMs]),
    );
  }
  return [...known.values(), ...(await findIds(tx, missing)).values()];
}

export async function addAssociations(tx: WriteTx, providerId: number, aggregateIds: readonly number[]): Promise<void> {
  for (const ids of chunks(aggregateIds, DATABASE_LIMITS.rowsPerInsert)) {
    await tx.run(
      `INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES ${rowMarks(ids.length, 2)}`,
      ids.flatMap((id): SqlValue[] => [providerId, id]),
    );
  }
}

export async function removeAssociations(
  tx: WriteTx,
  providerId: number,
  aggregateIds: readonly number[],
): Promise<void> {
  for (const ids of chunks(aggregateIds, DATABASE_LIMITS.idsPerStatement)) {
    await tx.run(
      `DELETE FROM resource_provider_aggregates WHERE resource_provider_id = ? AND aggregate_id IN (${marks(ids.length)})`,
      [providerId, ...ids],
    );
  }
}

/** A provider that shall be, or shall not be, in an aggregate, and whether it is. */
export interface AskedAssociation {
  readonly providerId: number;
  readonly aggregate: Uuid;
  readonly isWanted: boolean;
  readonly isThere: boolean;
}

export interface Association {
  readonly providerId: number;
  readonly aggregateId: number;
}

/** What is asked of those of the providers that exist. Nothing is held. */
export async function associationsOf(
  sql: SqlReader,
  changes: readonly { readonly aggregate: Uuid; readonly add: readonly Uuid[]; readonly remove: readonly Uuid[] }[],
): Promise<readonly AskedAssociation[]> {
  const uuids = [...new Set(changes.flatMap(({ add, remove }) => [...add, ...remove]))];
  const aggregates = [...new Set(changes.map(({ aggregate }) => aggregate))];
  const members = new Map<Uuid, { id: number; aggregates: Set<Uuid> }>();
  for (const part of chunks(uuids, DATABASE_LIMITS.idsPerStatement)) {
    const rows = await sql.query<{ id: number; uuid: Uuid; aggregate: Uuid | null }>(
      'SELECT p.id, p.uuid, a.uuid AS aggregate FROM resource_providers p ' +
        'LEFT JOIN resource_provider_aggregates pa ON pa.resource_provider_id = p.id ' +
        `LEFT JOIN placement_aggregates a ON a.id = pa.aggregate_id AND a.uuid IN (${marks(aggregates.length)}) ` +
        `WHERE p.uuid IN (${marks(part.length)})`,
      [...aggregates, ...part],
    );
    for (const { id, uuid, aggregate } of rows) {
      const member = members.get(uuid) ?? { id, aggregates: new Set<Uuid>() };
      members.set(uuid, member);
      if (aggregate !== null) member.aggregates.add(aggregate);
    }
  }
  const asked = (uuid: Uuid, aggregate: Uuid, isWanted: boolean): readonly AskedAssociation[] => {
    const member = members.get(uuid);
    if (member === undefined) return [];
    return [{ providerId: member.id, aggregate, isWanted, isThere: member.aggregates.has(aggregate) }];
  };
  return changes.flatMap(({ aggregate, add, remove }) => [
    ...add.flatMap((uuid) => asked(uuid, aggregate, true)),
    ...remove.flatMap((uuid) => asked(uuid, aggregate, false)),
  ]);
}

/** Puts providers into aggregates; one that is in already stays so. */
export async function putAssociations(tx: WriteTx, associations: readonly Association[]): Promise<void> {
  for (const part of chunks(sorted(associations), DATABASE_LIMITS.rowsPerInsert)) {
    await tx.run(
      `INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES ${rowMarks(part.length, 2)}` +
        tx.dialect.onDuplicate('resource_provider_id, aggregate_id', ['aggregate_id']),
      part.flatMap((each): SqlValue[] => [each.providerId, each.aggregateId]),
    );
  }
}

export async function dropAssociations(tx: WriteTx, associations: readonly Association[]): Promise<void> {
  for (const part of chunks(sorted(associations), PAIRS_PER_STATEMENT)) {
    await tx.run(
      'DELETE FROM resource_provider_aggregates WHERE ' +
        part.map(() => '(resource_provider_id = ? AND aggregate_id = ?)').join(' OR '),
      part.flatMap((each): SqlValue[] => [each.providerId, each.aggregateId]),
    );
  }
}

/** Below every database's bound of nested conditions. */
const PAIRS_PER_STATEMENT = 400;

const sorted = (associations: readonly Association[]): readonly Association[] =>
  [...associations].sort((a, b) => a.providerId - b.providerId || a.aggregateId - b.aggregateId);
