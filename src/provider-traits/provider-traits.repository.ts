// Which provider has which trait. Writers hold the provider's row first.
import { DATABASE_LIMITS } from '../config/limits';
import { chunks, marks, rowMarks } from '../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../database/sql';
import type { Uuid } from '../domain/uuid';
import type { Trait } from '../traits/traits.repository';

/** A provider's generation and, seen at the same moment, its traits in the order of their ids. */
export interface ProviderTraits {
  readonly providerId: number;
  readonly generation: number;
  readonly traits: readonly Trait[];
}

interface Row {
  readonly provider_id: number;
  readonly generation: number;
  readonly id: number | null;
  readonly name: string;
  readonly changed_at: number;
}

/** One statement, so that the generation guards exactly these traits. */
export async function findProviderTraits(sql: SqlReader, provider: Uuid): Promise<ProviderTraits | undefined> {
  const rows = await sql.query<Row>(
    'SELECT p.id AS provider_id, p.generation, t.id, t.name, COALESCE(t.updated_at, t.created_at) AS changed_at ' +
      'FROM resource_providers p LEFT JOIN resource_provider_traits pt ON pt.resource_provider_id = p.id ' +
      'LEFT JOIN traits t ON t.id = pt.trait_id WHERE p.uuid = ? ORDER BY t.id',
    [provider],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const traits = rows.flatMap(({ id, name, changed_at: changedAt }) => (id === null ? [] : [{ id, name, changedAt }]));
  return { providerId: first.provider_id, generation: first.generation, traits };
}

/** Fails on a foreign key when a trait is gone. */
export async function addTraits(tx: WriteTx, providerId: number, traitIds: readonly number[]): Promise<void> {
  for (const ids of chunks(traitIds, DATABASE_LIMITS.rowsPerInsert)) {
    await tx.run(
      `INSERT INTO resource_provider_traits (resource_provider_id, trait_id) VALUES ${rowMarks(ids.length, 2)}`,
      ids.flatMap((id): SqlValue[] => [providerId, id]),
    );
  }
}

export async function removeTraits(tx: WriteTx, providerId: number, traitIds: readonly number[]): Promise<void> {
  for (const ids of chunks(traitIds, DATABASE_LIMITS.idsPerStatement)) {
    await tx.run(
      `DELETE FROM resource_provider_traits WHERE resource_provider_id = ? AND trait_id IN (${marks(ids.length)})`,
      [providerId, ...ids],
    );
  }
}

/** Answers how many traits the provider had. */
export async function removeAllTraits(tx: WriteTx, providerId: number): Promise<number> {
  return tx.run('DELETE FROM resource_provider_traits WHERE resource_provider_id = ?', [providerId]);
}

/** Ids of those of the providers that exist and do not have, or still have, the trait. Nothing is held. */
export async function providersToChange(
  sql: SqlReader,
  providers: readonly Uuid[],
  traitId: number,
  isWanted: boolean,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const part of chunks(providers, DATABASE_LIMITS.idsPerStatement)) {
    const rows = await sql.query<{ id: number }>(
      'SELECT p.id FROM resource_providers p LEFT JOIN resource_provider_traits pt ' +
        'ON pt.resource_provider_id = p.id AND pt.trait_id = ? ' +
        `WHERE p.uuid IN (${marks(part.length)}) AND pt.trait_id IS ${isWanted ? '' : 'NOT '}NULL`,
      [traitId, ...part],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** Gives the trait to providers; one that has it already keeps it. */
export async function putTrait(tx: WriteTx, providerIds: readonly number[], traitId: number): Promise<void> {
  for (const ids of chunks(ascending(providerIds), DATABASE_LIMITS.rowsPerInsert)) {
    await tx.run(
      `INSERT INTO resource_provider_traits (resource_provider_id, trait_id) VALUES ${rowMarks(ids.length, 2)}` +
        tx.dialect.onDuplicate('resource_provider_id, trait_id', ['trait_id']),
      ids.flatMap((id): SqlValue[] => [id, traitId]),
    );
  }
}

export async function dropTrait(tx: WriteTx, providerIds: readonly number[], traitId: number): Promise<void> {
  for (const ids of chunks(ascending(providerIds), DATABASE_LIMITS.idsPerStatement)) {
    await tx.run(
      `DELETE FROM resource_provider_traits WHERE resource_provider_id IN (${marks(ids.length)}) AND trait_id = ?`,
      [...ids, traitId],
    );
  }
}

const ascending = (ids: readonly number[]): readonly number[] => [...ids].sort((a, b) => a - b);
