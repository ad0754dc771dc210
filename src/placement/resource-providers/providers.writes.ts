// The first steps of every write to a provider: find its row, lock it, increment its generation. The generation that a
// client sent is compared only here.
import type { SqlReader, Statement, WriteTx } from '../../platform/database/sql';
import { anyOf, chunks, marks, queryAmong, runAmong } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import { StoredProvider } from './resource-provider.entity';

const NODE = new Table(StoredProvider).only('id', 'uuid', 'name', 'generation', 'parentId', 'rootId', 'reported');

/** A provider's place in its tree, by row ids, with the generation that was read. */
export type ProviderNode = RowOf<typeof NODE>;

const SELECT_NODE = `SELECT ${NODE.as('p')} FROM resource_providers p`;

export async function findNodes(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, ProviderNode>> {
  const nodes = await queryAmong<ProviderNode>(sql, uuids, (among) => `${SELECT_NODE} WHERE p.uuid IN (${among})`);
  return new Map(nodes.map((node) => [node.uuid, node]));
}

/** All rows of one tree, in no particular order. */
export function nodesOfTree(sql: SqlReader, rootId: number): Promise<readonly ProviderNode[]> {
  return sql.query<ProviderNode>(`${SELECT_NODE} WHERE p.root_provider_id = ?`, [rootId]);
}

/**
 * Locks rows until commit, in the order of ids; returns how many of them exist. It locks by a write: a read lock is
 * local to one database server, and a server that certifies at commit compares only written rows.
 */
export async function holdProviders(tx: WriteTx, ids: readonly number[]): Promise<number> {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  return tx.run(`UPDATE resource_providers SET holds = holds + 1 WHERE id IN (${marks(sorted.length)})`, sorted);
}

const RAISE = 'UPDATE resource_providers SET generation = generation + 1, updated_at = ?';

/**
 * Increments the generation of a provider if it is the expected one; returns whether it was. Locks the row until
 * commit. The generation that a client sent is compared only here.
 */
export async function compareAndRaise(tx: WriteTx, id: number, expected: number, nowMs: number): Promise<boolean> {
  const matched = await tx.run(`${RAISE} WHERE id = ? AND generation = ?`, [nowMs, id, expected]);
  return matched === 1;
}

/** Increments generations without a comparison; returns how many rows exist. Locks the rows in the order of ids. */
export function raiseGenerations(tx: WriteTx, ids: readonly number[], nowMs: number): Promise<number> {
  const sorted = [...ids].sort((a, b) => a - b);
  const text = (among: string): string => `${RAISE} WHERE id IN (${among})`;
  return runAmong(tx, sorted, text, { before: [nowMs], size: RAISED_PER_STATEMENT });
}

/** Statements that increment each generation by its number. Together they match one row for each id. */
export function raising(raises: ReadonlyMap<number, number>, nowMs: number): readonly Statement[] {
  const sorted = [...raises.keys()].sort((a, b) => a - b);
  return chunks(sorted, RAISED_PER_STATEMENT).map((ids) => {
    const among = `WHERE id IN (${marks(ids.length)})`;
    const often = ids.filter((id) => raises.get(id) !== 1);
    if (often.length === 0) return { sql: `${RAISE} ${among}`, params: [nowMs, ...ids] };
    const cases = often.map(() => 'WHEN ? THEN ?').join(' ');
    return {
      sql: `UPDATE resource_providers SET generation = generation + CASE id ${cases} ELSE 1 END, updated_at = ? ${among}`,
      params: [...often.flatMap((id) => [id, raises.get(id) ?? 1]), nowMs, ...ids],
    };
  });
}

/** Providers per UPDATE: without comparison, and with a comparison of each, which takes SQLite long to parse. */
const RAISED_PER_STATEMENT = 2_000;
const COMPARED_PER_STATEMENT = 200;

/**
 * Increments the generations of some providers with a comparison and of others without, in the order of ids. Returns
 * whether all comparisons matched and all rows exist.
 */
export async function raiseReshaped(
  tx: WriteTx,
  expected: readonly { readonly id: number; readonly generation: number }[],
  others: readonly number[],
  nowMs: number,
): Promise<boolean> {
  const known = new Map(expected.map((each) => [each.id, each.generation]));
  const ids = [...new Set([...known.keys(), ...others])].sort((a, b) => a - b);
  let matched = 0;
  for (const part of chunks(ids, COMPARED_PER_STATEMENT)) {
    const compared = part.filter((id) => known.has(id));
    const rest = part.filter((id) => !known.has(id));
    const conditions = [
      ...compared.map(() => '(id = ? AND generation = ?)'),
      ...(rest.length === 0 ? [] : [`id IN (${marks(rest.length)})`]),
    ];
    matched += await tx.run(`${RAISE} WHERE ${anyOf(conditions)}`, [
      nowMs,
      ...compared.flatMap((id) => [id, known.get(id) ?? 0]),
      ...rest,
    ]);
  }
  return matched === ids.length;
}

export async function generationOf(sql: SqlReader, id: number): Promise<number | undefined> {
  const [row] = await sql.query<{ generation: number }>('SELECT generation FROM resource_providers WHERE id = ?', [id]);
  return row?.generation;
}
