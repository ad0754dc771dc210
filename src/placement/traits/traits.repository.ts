// The names of traits in the database. provider-traits.repository.ts links them to providers.
import type { SqlReader, SqlValue, WriteTx } from '../../platform/database/sql';
import { marks } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import { CUSTOM_PREFIX } from '../../platform/values/names';
import { StoredTrait } from './trait.entity';
import type { Trait, TraitFilter } from './traits.commands';

const TRAITS = new Table(StoredTrait);
const CREATED = TRAITS.only('name', 'createdAtMs');

const KNOWN = TRAITS.only('id', 'name', 'changedAt').as('t');
const SELECT_TRAIT = `SELECT ${KNOWN} FROM traits t`;
const IS_ASSOCIATED = 'EXISTS (SELECT 1 FROM resource_provider_traits pt WHERE pt.trait_id = t.id)';

/** Sorted by id. */
export function listTraits(sql: SqlReader, { names, prefix, isAssociated }: TraitFilter): Promise<readonly Trait[]> {
  const conditions = ['1 = 1'];
  const params: SqlValue[] = [];
  if (names !== undefined) {
    const distinct = [...new Set(names)];
    conditions.push(`t.name IN (${marks(distinct.length)})`);
    params.push(...distinct);
  }
  if (prefix !== undefined) {
    conditions.push('SUBSTR(t.name, 1, ?) = ?');
    params.push([...prefix].length, prefix);
  }
  if (isAssociated !== undefined) conditions.push(isAssociated ? IS_ASSOCIATED : `NOT ${IS_ASSOCIATED}`);
  return sql.query<Trait>(`${SELECT_TRAIT} WHERE ${conditions.join(' AND ')} ORDER BY t.id`, params);
}

export async function countCustomTraits(sql: SqlReader): Promise<number> {
  const text = 'SELECT COUNT(*) AS count FROM traits WHERE SUBSTR(name, 1, ?) = ?';
  const [row] = await sql.query<{ count: number }>(text, [CUSTOM_PREFIX.length, CUSTOM_PREFIX]);
  return Number(row?.count ?? 0);
}

export async function findTrait(sql: SqlReader, name: string): Promise<Trait | undefined> {
  return (await sql.query<Trait>(`${SELECT_TRAIT} WHERE t.name = ?`, [name]))[0];
}

export async function insertTrait(tx: WriteTx, name: string, nowMs: number): Promise<void> {
  const { sql, params } = CREATED.insert([{ name, createdAtMs: nowMs }]);
  await tx.run(sql, params);
}

/** Returns false if the trait no longer exists. Fails with a foreign-key error if a provider has it. */
export async function deleteTrait(tx: WriteTx, id: number): Promise<boolean> {
  return (await tx.run('DELETE FROM traits WHERE id = ?', [id])) === 1;
}
