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

/** Law: `used` = sum of the allocations of the record. */
async function wrongUsage(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  const rows = await sql.query<{ uuid: string; name: string; used: number; held: number }>(
    'SELECT p.uuid, c.name, i.used, COALESCE(SUM(a.used), 0) AS held FROM inventories i ' +
      'JOIN resource_providers p ON p.id = i.resource_provider_id JOIN resource_classes c ON c.id = i.resource_class_id ' +
      'LEFT JOIN allocations a ON a.resource_provider_id = i.resource_provider_id ' +
      'AND a.resource_class_id = i.resource_class_id ' +
      'GROUP BY i.id, p.uuid, c.name, i.used HAVING i.used <> COALESCE(SUM(a.used), 0)',
  );
  return rows.map((row) => ({
    law: 'used',
    subject: `${row.name} on resource provider ${row.uuid}`,
    detail: `used is ${row.used}, the allocations are ${Number(row.held)}`,
  }));
}

const CAPACITY = new Table(StoredInventory).only('total', 'reserved', 'allocationRatio', 'capacity');

/** Law: `capacity` = `capacityOf(record)`. */
async function wrongCapacity(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  const rows = await sql.query<RowOf<typeof CAPACITY> & { readonly uuid: string; readonly name: string }>(
    `SELECT p.uuid, c.name, ${CAPACITY.as('i')} FROM inventories i ` +
      'JOIN resource_providers p ON p.id = i.resource_provider_id JOIN resource_classes c ON c.id = i.resource_class_id',
  );
  return rows.flatMap((row): BrokenLaw[] => {
    const right = capacityOf(row);
    if (row.capacity === right) return [];
    const subject = `${row.name} on resource provider ${row.uuid}`;
    return [{ law: 'capacity', subject, detail: `capacity is ${row.capacity}, the record gives ${right}` }];
  });
}

/** Law: every consumer has at least one allocation. */
async function ghostConsumers(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  const rows = await sql.query<{ uuid: string }>(
    'SELECT c.uuid FROM consumers c WHERE NOT EXISTS (SELECT 1 FROM allocations a WHERE a.consumer_id = c.id)',
  );
  return rows.map((row) => ({ law: 'consumer', subject: `consumer ${row.uuid}`, detail: 'it has no allocations' }));
}

const NODE = new Table(StoredProvider).only('id', 'uuid', 'parentId', 'rootId');
type NodeRow = RowOf<typeof NODE>;

/** Law: following the parents of a provider ends at its recorded root. */
async function wrongRoots(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  const rows = await sql.query<NodeRow>(`SELECT ${NODE.as('p')} FROM resource_providers p`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows.flatMap((row): BrokenLaw[] => {
    const top = topOf(row, byId);
    if (top?.id === row.rootId && top !== undefined) return [];
    const detail = top === undefined ? 'its parents form a loop' : `it names root ${row.rootId}, its top is ${top.id}`;
    return [{ law: 'tree', subject: `resource provider ${row.uuid}`, detail }];
  });
}

/** Undefined if the parents form a loop. */
function topOf(row: NodeRow, byId: ReadonlyMap<number, NodeRow>): NodeRow | undefined {
  let at = row;
  for (let steps = 0; steps <= byId.size; steps += 1) {
    const parent = at.parentId === null ? undefined : byId.get(at.parentId);
    if (parent === undefined) return at;
    at = parent;
  }
  return undefined;
}
