// Traits in the database: the names alone. Which provider has which is in provider-traits.repository.ts.
import { DATABASE_LIMITS } from '../config/limits';
import { chunks, marks } from '../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../database/sql';

export interface Trait {
  readonly id: number;
  readonly name: string;
  /** Milliseconds since the epoch: last update, else creation. */
  readonly changedAt: number;
}

/** All conditions must hold; an absent one holds for every trait. */
export interface TraitFilter {
  readonly names?: readonly string[];
  /** Taken literally, case included. */
  readonly prefix?: string;
  /** True: on at least one provider; false: on none. */
  readonly isAssociated?: boolean;
}

interface TraitRow {
  readonly id: number;
  readonly name: string;
  readonly changed_at: number;
}

const SELECT_TRAIT = 'SELECT t.id, t.name, COALESCE(t.updated_at, t.created_at) AS changed_at FROM traits t';
const IS_ASSOCIATED = 'EXISTS (SELECT 1 FROM resource_provider_traits pt WHERE pt.trait_id = t.id)';

const toTrait = (row: TraitRow): Trait => ({ id: row.id, name: row.name, changedAt: row.changed_at });

/** In the order of ids. One statement, unless there are more names than one can take. */
export async function listTraits(sql: SqlReader, filter: TraitFilter): Promise<readonly Trait[]> {
  if (filter.names === undefined) return select(sql, filter, undefined);
  const found: Trait[] = [];
  for (const names of chunks([...new Set(filter.names)], DATABASE_LIMITS.parametersPerStatement)) {
    found.push(...(await select(sql, filter, names)));
  }
  return found;
}

async function select(
  sql: SqlReader,
  { prefix, isAssociated }: TraitFilter,
  names: readonly string[] | undefined,
): Promise<readonly Trait[]> {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  if (names !== undefined) {
    conditions.push(`t.name IN (${marks(names.length)})`);
    params.push(...names);
  }
  if (prefix !== undefined) {
    conditions.push('SUBSTR(t.name, 1, ?) = ?');
    params.push([...prefix].length, prefix);
  }
  if (isAssociated !== undefined) conditions.push(isAssociated ? IS_ASSOCIATED : `NOT ${IS_ASSOCIATED}`);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return (await sql.query<TraitRow>(`${SELECT_TRAIT}${where} ORDER BY t.id`, params)).map(toTrait);
}

export async function findTrait(sql: SqlReader, name: string): Promise<Trait | undefined> {
  const [row] = await sql.query<TraitRow>(`${SELECT_TRAIT} WHERE t.name = ?`, [name]);
  return row === undefined ? undefined : toTrait(row);
}

export async function insertTrait(tx: WriteTx, name: string, nowMs: number): Promise<void> {
  await tx.run('INSERT INTO traits (name, created_at) VALUES (?, ?)', [name, nowMs]);
}

/** Answers whether the trait was still there. Fails on a foreign key while any provider has it. */
export async function deleteTrait(tx: WriteTx, id: number): Promise<boolean> {
  return (await tx.run('DELETE FROM traits WHERE id = ?', [id])) === 1;
}
