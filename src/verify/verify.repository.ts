// Checks what must hold of the database at rest: usage, capacity, consumers, trees. Reads only.
import type { SqlReader } from '../database/sql';
import { capacityOf } from '../domain/inventory';

/** One broken law: which, about what, and the numbers. */
export interface BrokenLaw {
  readonly law: 'used' | 'capacity' | 'consumer' | 'tree';
  readonly subject: string;
  readonly detail: string;
}

/** All broken laws, seen in one consistent view. */
export async function findBrokenLaws(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  return [
    ...(await wrongUsage(sql)),
    ...(await wrongCapacity(sql)),
    ...(await ghostConsumers(sql)),
    ...(await wrongRoots(sql)),
  ];
}

/** `used` is the sum of the allocations of the record. */
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

interface CapacityRow {
  readonly uuid: string;
  readonly name: string;
  readonly total: number;
  readonly reserved: number;
  readonly allocation_ratio: number;
  readonly capacity: number;
}

/** `capacity` is what the one formula gives. */
async function wrongCapacity(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  const rows = await sql.query<CapacityRow>(
    'SELECT p.uuid, c.name, i.total, i.reserved, i.allocation_ratio, i.capacity FROM inventories i ' +
      'JOIN resource_providers p ON p.id = i.resource_provider_id JOIN resource_classes c ON c.id = i.resource_class_id',
  );
  return rows.flatMap((row): BrokenLaw[] => {
    const right = capacityOf({ total: row.total, reserved: row.reserved, allocationRatio: row.allocation_ratio });
    if (row.capacity === right) return [];
    const subject = `${row.name} on resource provider ${row.uuid}`;
    return [{ law: 'capacity', subject, detail: `capacity is ${row.capacity}, the record gives ${right}` }];
  });
}

/** A consumer exists only while it has allocations. */
async function ghostConsumers(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  const rows = await sql.query<{ uuid: string }>(
    'SELECT c.uuid FROM consumers c WHERE NOT EXISTS (SELECT 1 FROM allocations a WHERE a.consumer_id = c.id)',
  );
  return rows.map((row) => ({ law: 'consumer', subject: `consumer ${row.uuid}`, detail: 'it has no allocations' }));
}

interface NodeRow {
  readonly id: number;
  readonly uuid: string;
  readonly parent: number | null;
  readonly root: number | null;
}

/** Following parents from any provider ends at the root that it names. */
async function wrongRoots(sql: SqlReader): Promise<readonly BrokenLaw[]> {
  const rows = await sql.query<NodeRow>(
    'SELECT id, uuid, parent_provider_id AS parent, root_provider_id AS root FROM resource_providers',
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows.flatMap((row): BrokenLaw[] => {
    const top = topOf(row, byId);
    if (top?.id === row.root && top !== undefined) return [];
    const detail = top === undefined ? 'its parents form a loop' : `it names root ${row.root}, its top is ${top.id}`;
    return [{ law: 'tree', subject: `resource provider ${row.uuid}`, detail }];
  });
}

/** Undefined for a loop. */
function topOf(row: NodeRow, byId: ReadonlyMap<number, NodeRow>): NodeRow | undefined {
  let at = row;
  for (let steps = 0; steps <= byId.size; steps += 1) {
    const parent = at.parent === null ? undefined : byId.get(at.parent);
    if (parent === undefined) return at;
    at = parent;
  }
  return undefined;
}
