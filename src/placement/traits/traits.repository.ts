// The names of traits in the database. provider-traits.repository.ts links them to providers.
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import type { SqlReader, SqlValue, Statement, WriteTx } from '../../platform/database/sql';
import { chunks, marks } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import { StoredTrait } from './trait.entity';
import type { Trait, TraitFilter } from './traits.commands';

const TRAITS = new Table(StoredTrait);
const CREATED = TRAITS.only('name', 'createdAtMs');

const KNOWN = TRAITS.only('id', 'name', 'changedAt').as('t');
const SELECT_TRAIT = `SELECT ${KNOWN} FROM traits t`;
/** One row in this many is read even if it does not match. */
const PASSED_OVER = 500;
const IS_ASSOCIATED = 'EXISTS (SELECT 1 FROM resource_provider_traits pt WHERE pt.trait_id = t.id)';

/** Sorted by id. Runs one statement, unless there are more names than one statement can bind. */
export async function listTraits(sql: SqlReader, filter: TraitFilter): Promise<readonly Trait[]> {
  if (filter.names === undefined) return selectAmongAll(sql, filter);
  const found: Trait[] = [];
  for (const names of chunks([...new Set(filter.names)], DATABASE_LIMITS.parametersPerStatement)) {
    found.push(...(await select(sql, filter, names)));
  }
  return found;
}

function select(sql: SqlReader, filter: TraitFilter, names: readonly string[]): Promise<readonly Trait[]> {
  const { sql: condition, params } = conditionOf(filter);
  return sql.query<Trait>(`${SELECT_TRAIT} WHERE t.name IN (${marks(names.length)}) AND ${condition} ORDER BY t.id`, [
    ...names,
    ...params,
  ]);
}

/** Skipping many rows in the database takes long, so some rows that do not match are read too: the reader can yield. */
async function selectAmongAll(sql: SqlReader, filter: TraitFilter): Promise<readonly Trait[]> {
  const { sql: condition, params } = conditionOf(filter);
  const found: Trait[] = [];
  await sql.each<Trait & { readonly isMeant: number }>(
    `SELECT * FROM (SELECT ${KNOWN}, (${condition}) AS isMeant FROM traits t) AS judged ` +
      `WHERE isMeant = 1 OR id % ${PASSED_OVER} = 0 ORDER BY id`,
    params,
    ({ isMeant, ...trait }) => {
      if (Number(isMeant) === 1) found.push(trait);
    },
  );
  return found;
}

function conditionOf({ prefix, isAssociated }: TraitFilter): Statement {
  const conditions = ['1 = 1'];
  const params: SqlValue[] = [];
  if (prefix !== undefined) {
    conditions.push('SUBSTR(t.name, 1, ?) = ?');
    params.push([...prefix].length, prefix);
  }
  if (isAssociated !== undefined) conditions.push(isAssociated ? IS_ASSOCIATED : `NOT ${IS_ASSOCIATED}`);
  return { sql: conditions.join(' AND '), params };
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
