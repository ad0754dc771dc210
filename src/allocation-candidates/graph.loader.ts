// Reads the rows of the provider graph: all of it, or the trees of some providers. A handful of plain SELECTs; the
// caller sees to it that they share one view.
import type { GraphRows } from '../candidate-search';
import { chunks, marks } from '../database/sql';
import type { SqlReader } from '../database/sql';

interface ProviderRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly parent_provider_id: number | null;
  readonly root_provider_id: number;
}

interface InventoryRow {
  readonly id: number;
  readonly resource_provider_id: number;
  readonly name: string;
  readonly total: number;
  readonly reserved: number;
  readonly min_unit: number;
  readonly max_unit: number;
  readonly step_size: number;
  readonly allocation_ratio: number;
  readonly capacity: number;
  readonly used: number;
  readonly version: number;
}

export function loadGraphRows(sql: SqlReader): Promise<GraphRows> {
  return loadWhere(sql, '', []);
}

const ROOTS_PER_STATEMENT = 500;

/** The rows of every tree that holds one of these providers now. */
export async function loadTreesOf(sql: SqlReader, providerIds: readonly number[]): Promise<GraphRows> {
  const roots = new Set<number>();
  for (const part of chunks(providerIds, ROOTS_PER_STATEMENT)) {
    const rows = await sql.query<{ root_provider_id: number }>(
      `SELECT DISTINCT root_provider_id FROM resource_providers WHERE id IN (${marks(part.length)})`,
      part,
    );
    for (const row of rows) roots.add(row.root_provider_id);
  }
  const parts: GraphRows[] = [];
  for (const part of chunks([...roots], ROOTS_PER_STATEMENT)) {
    parts.push(await loadWhere(sql, ` WHERE p.root_provider_id IN (${marks(part.length)})`, part));
  }
  return {
    providers: parts.flatMap((part) => part.providers),
    inventories: parts.flatMap((part) => part.inventories),
    traits: parts.flatMap((part) => part.traits),
    aggregates: parts.flatMap((part) => part.aggregates),
  };
}

async function loadWhere(sql: SqlReader, where: string, params: readonly number[]): Promise<GraphRows> {
  const ofProvider = (table: string): string => `JOIN resource_providers p ON p.id = ${table}.resource_provider_id`;
  const providers = await sql.query<ProviderRow>(
    `SELECT p.id, p.uuid, p.name, p.parent_provider_id, p.root_provider_id FROM resource_providers p${where}`,
    params,
  );
  const inventories = await sql.query<InventoryRow>(
    'SELECT i.id, i.resource_provider_id, c.name, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, ' +
      'i.allocation_ratio, i.capacity, i.used, i.version FROM inventories i ' +
      `JOIN resource_classes c ON c.id = i.resource_class_id ${ofProvider('i')}${where}`,
    params,
  );
  const traits = await sql.query<{ resource_provider_id: number; name: string }>(
    'SELECT pt.resource_provider_id, t.name FROM resource_provider_traits pt ' +
      `JOIN traits t ON t.id = pt.trait_id ${ofProvider('pt')}${where}`,
    params,
  );
  const aggregates = await sql.query<{ resource_provider_id: number; uuid: string }>(
    'SELECT pa.resource_provider_id, a.uuid FROM resource_provider_aggregates pa ' +
      `JOIN placement_aggregates a ON a.id = pa.aggregate_id ${ofProvider('pa')}${where}`,
    params,
  );
  return {
    providers: providers.map((row) => ({
      id: row.id,
      uuid: row.uuid,
      name: row.name,
      parentId: row.parent_provider_id,
      rootId: row.root_provider_id,
    })),
    inventories: inventories.map((row) => ({
      id: row.id,
      providerId: row.resource_provider_id,
      resourceClass: row.name,
      total: row.total,
      reserved: row.reserved,
      minUnit: row.min_unit,
      maxUnit: row.max_unit,
      stepSize: row.step_size,
      allocationRatio: row.allocation_ratio,
      capacity: row.capacity,
      used: row.used,
      version: row.version,
    })),
    traits: traits.map((row) => ({ providerId: row.resource_provider_id, trait: row.name })),
    aggregates: aggregates.map((row) => ({ providerId: row.resource_provider_id, aggregate: row.uuid })),
  };
}
