// Checks the invariants of the database: references, usage, capacity, consumers, trees. Read only.
import { capacityOf } from '../../placement/domain/inventory';
import { StoredInventory } from '../../placement/inventories/inventory.entity';
import { StoredProvider } from '../../placement/resource-providers/resource-provider.entity';
import type { SqlReader } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import { findOrphans, ORPHAN_RULES, orphanSubject } from './orphans';

/** A violated law, its subject, and the values. */
interface BrokenLaw {
  readonly law: 'reference' | 'used' | 'capacity' | 'consumer' | 'tree';
  readonly subject: string;
  readonly detail: string;
}

/** All violations in one snapshot, which the caller provides. */
export async function findBrokenLaws(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  return [
    ...(await lostReferences(sql)),
    ...(await wrongUsage(sql)),
    ...(await wrongCapacity(sql)),
    ...(await ghostConsumers(sql)),
    ...(await wrongRoots(sql)),
  ];
}

/** Law: every reference leads to an existing row. */
async function lostReferences(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  const found: BrokenLaw[] = [];
  for (const rule of ORPHAN_RULES) {
    for (const orphan of await findOrphans(sql, rule)) {
      found.push({ law: 'reference', subject: orphanSubject(orphan), detail: 'what it refers to is not there' });
    }
  }
  return found;
}

interface RecordRow {
  readonly id: number;
  readonly provider_id: number;
  readonly uuid: string;
  readonly name: string;
}

export interface WrongUsage extends RecordRow {
  readonly class_id: number;
  readonly used: number;
  readonly held: number | string;
}

/** `limit`: the end of the statement. */
export const findWrongUsage = (sql: SqlReader, limit = ''): Promise<readonly WrongUsage[]> =>
  sql.query(
    'SELECT i.id, p.id AS provider_id, c.id AS class_id, p.uuid, c.name, i.used, COALESCE(SUM(a.used), 0) AS held ' +
      'FROM inventories i JOIN resource_providers p ON p.id = i.resource_provider_id ' +
      'JOIN resource_classes c ON c.id = i.resource_class_id LEFT JOIN allocations a ' +
      'ON a.resource_provider_id = i.resource_provider_id AND a.resource_class_id = i.resource_class_id ' +
      `GROUP BY i.id, p.id, c.id, p.uuid, c.name, i.used HAVING i.used <> COALESCE(SUM(a.used), 0)${limit}`,
  );

/** Law: `used` = sum of the allocations of the record. */
async function wrongUsage(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  return (await findWrongUsage(sql)).map((row) => ({
    law: 'used',
    subject: `${row.name} on resource provider ${row.uuid}`,
    detail: `used is ${row.used}, the allocations are ${Number(row.held)}`,
  }));
}

const CAPACITY = new Table(StoredInventory).only('total', 'reserved', 'allocationRatio', 'capacity');

export interface WrongCapacity extends RecordRow, RowOf<typeof CAPACITY> {
  /** What the record gives. */
  readonly right: number;
}

/** At most `most` of them. */
export async function findWrongCapacity(sql: SqlReader, most = Infinity): Promise<readonly WrongCapacity[]> {
  const wrong: WrongCapacity[] = [];
  await sql.each<Omit<WrongCapacity, 'right'>>(
    `SELECT i.id, p.id AS provider_id, p.uuid, c.name, ${CAPACITY.as('i')} FROM inventories i ` +
      'JOIN resource_providers p ON p.id = i.resource_provider_id ' +
      'JOIN resource_classes c ON c.id = i.resource_class_id ORDER BY i.id',
    [],
    (row) => {
      const right = capacityOf(row);
      if (wrong.length < most && row.capacity !== right) wrong.push({ ...row, right });
    },
  );
  return wrong;
}

/** Law: `capacity` = `capacityOf(record)`. */
async function wrongCapacity(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  return (await findWrongCapacity(sql)).map(({ name, uuid, capacity, right }) => ({
    law: 'capacity',
    subject: `${name} on resource provider ${uuid}`,
    detail: `capacity is ${capacity}, the record gives ${right}`,
  }));
}

/** `limit`: the end of the statement. */
export const findGhosts = (
  sql: SqlReader,
  limit = '',
): Promise<readonly { readonly id: number; readonly uuid: string }[]> =>
  sql.query(
    `SELECT c.id, c.uuid FROM consumers c WHERE NOT EXISTS (SELECT 1 FROM allocations a WHERE a.consumer_id = c.id)${limit}`,
  );

/** Law: every consumer has at least one allocation. */
async function ghostConsumers(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  return (await findGhosts(sql)).map((row) => ({
    law: 'consumer',
    subject: `consumer ${row.uuid}`,
    detail: 'it has no allocations',
  }));
}

const NODE = new Table(StoredProvider).only('id', 'uuid', 'parentId', 'rootId');
type NodeRow = RowOf<typeof NODE>;

/** Law: following the parents of a provider ends at its recorded root. */
async function wrongRoots(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  const rows = await sql.query<NodeRow>(`SELECT ${NODE.as('p')} FROM resource_providers p`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows.flatMap((row): BrokenLaw[] => {
    const top = topOf(row, ({ parentId: id }) => (id === null ? undefined : byId.get(id)), byId.size);
    if (top?.id === row.rootId && top !== undefined) return [];
    const detail = top === undefined ? 'its parents form a loop' : `it names root ${row.rootId}, its top is ${top.id}`;
    return [{ law: 'tree', subject: `resource provider ${row.uuid}`, detail }];
  });
}

/** The top of the parents of one of `count` nodes; undefined if they form a loop. */
export function topOf<N>(node: N, parentOf: (node: N) => N | undefined, count: number): N | undefined {
  let at = node;
  for (let steps = 0; steps <= count; steps += 1) {
    const parent = parentOf(at);
    if (parent === undefined) return at;
    at = parent;
  }
  return undefined;
}
