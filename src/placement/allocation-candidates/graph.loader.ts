// Reads the rows of the provider graph: all of it, or the trees of some providers. A few plain SELECTs; the caller must
// run them in one consistent view.
import type { SqlReader } from '../../platform/database/sql';
import { chunks, marks, queryAmong } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import type { GraphRows, LoadedRows } from '../candidate-search';
import { RECORD_FIELDS } from '../domain/inventory';
import { StoredInventory } from '../inventories/inventory.entity';
import { StoredProvider } from '../resource-providers/resource-provider.entity';

type InventoryRow = GraphRows['inventories'][number];
type ProviderRow = GraphRows['providers'][number];
type TraitRow = GraphRows['traits'][number];
type AggregateRow = GraphRows['aggregates'][number];

export function loadGraphRows(sql: SqlReader): Promise<LoadedRows> {
  return loadWhere(sql, '', [], noRows());
}

const ROOTS_PER_STATEMENT = 500;

/** The current rows of every tree that holds one of these providers. */
export async function loadTreesOf(sql: SqlReader, providerIds: readonly number[]): Promise<LoadedRows> {
  const trees = await queryAmong<{ rootId: number }>(
    sql,
    providerIds,
    (among) => `SELECT DISTINCT root_provider_id AS rootId FROM resource_providers WHERE id IN (${among})`,
    { size: ROOTS_PER_STATEMENT },
  );
  const roots = [...new Set(trees.map(({ rootId }) => rootId))];
  const rows = noRows();
  for (const part of chunks(roots, ROOTS_PER_STATEMENT)) {
    await loadWhere(sql, ` WHERE p.root_provider_id IN (${marks(part.length)})`, part, rows);
  }
  return rows;
}

const PROVIDER = new Table(StoredProvider).only('id', 'uuid', 'name', 'parentId', 'rootId', 'reported');
const INVENTORY = new Table(StoredInventory).only(
  ...(['id', 'providerId', ...RECORD_FIELDS, 'capacity', 'used', 'version'] as const),
);

interface Rows extends LoadedRows {
  readonly providers: ProviderRow[];
  readonly inventories: InventoryRow[];
  readonly traits: TraitRows;
  readonly aggregates: AggregateRow[];
  readonly names: Names;
}

const noRows = (): Rows => ({
  providers: [],
  inventories: [],
  traits: new TraitRows(),
  aggregates: [],
  names: new Names(),
});

/** Drivers create a new string for every row; names shared by thousands of rows are deduplicated. */
class Names {
  private readonly known = new Map<string, string>();

  one(name: string): string {
    const known = this.known.get(name);
    if (known === undefined) this.known.set(name, name);
    return known ?? name;
  }
}

async function loadWhere(sql: SqlReader, where: string, params: readonly number[], found: Rows): Promise<LoadedRows> {
  const ofProvider = (table: string): string =>
    where === '' ? '' : `JOIN resource_providers p ON p.id = ${table}.resource_provider_id${where}`;
  // Copied although the columns already have the right names: a driver's row object is several times as large.
  await sql.each<RowOf<typeof PROVIDER>>(
    `SELECT ${PROVIDER.as('p')} FROM resource_providers p${where}`,
    params,
    ({ id, uuid, name, parentId, rootId, reported }) =>
      found.providers.push({ id, uuid, name, parentId, rootId, wasReported: reported !== 0 }),
  );
  // LEFT JOIN: the names cannot come first. MariaDB began with the few classes and read the inventories of all providers.
  await sql.each<InventoryRow>(
    `SELECT ${INVENTORY.as('i')}, c.name AS resourceClass FROM inventories i ` +
      `LEFT JOIN resource_classes c ON c.id = i.resource_class_id ${ofProvider('i')}`,
    params,
    ({ id, providerId, resourceClass, total, reserved, minUnit, maxUnit, stepSize, allocationRatio, ...rest }) =>
      found.inventories.push({
        id,
        providerId,
        resourceClass: found.names.one(resourceClass),
        total,
        reserved,
        minUnit,
        maxUnit,
        stepSize,
        allocationRatio,
        capacity: rest.capacity,
        used: rest.used,
        version: rest.version,
      }),
  );
  await loadTraits(sql, ofProvider('pt'), params, found);
  await sql.each<AggregateRow>(
    'SELECT pa.resource_provider_id AS providerId, a.uuid AS aggregate FROM resource_provider_aggregates pa ' +
      `LEFT JOIN placement_aggregates a ON a.id = pa.aggregate_id ${ofProvider('pa')}`,
    params,
    ({ providerId, aggregate }) => found.aggregates.push({ providerId, aggregate: found.names.one(aggregate) }),
  );
  return found;
}

/** Hosts have dozens of traits each: a row for each of them took longer than all other rows together. */
async function loadTraits(sql: SqlReader, ofProvider: string, params: readonly number[], found: Rows): Promise<void> {
  const lists: { readonly providerId: number; readonly ids: readonly number[] }[] = [];
  const shared = new Map<string, readonly number[]>();
  const used = new Set<number>();
  await sql.each<{ providerId: number; ids: string }>(
    'SELECT pt.resource_provider_id AS providerId, GROUP_CONCAT(pt.trait_id) AS ids FROM resource_provider_traits pt ' +
      `${ofProvider} GROUP BY pt.resource_provider_id`,
    params,
    ({ providerId, ids: text }) => {
      let ids = shared.get(text);
      if (ids === undefined) {
        shared.set(text, (ids = text.split(',').map(Number)));
        for (const id of ids) used.add(id);
      }
      lists.push({ providerId, ids });
    },
  );
  const rows = await queryAmong<{ id: number; name: string }>(
    sql,
    [...used],
    (among) => `SELECT id, name FROM traits WHERE id IN (${among})`,
  );
  found.traits.add(lists, new Map(rows.map(({ id, name }) => [id, name])));
}

/** Rows that are made when they are read: a large cloud has millions. */
class TraitRows implements Iterable<TraitRow> {
  private readonly parts: Iterable<TraitRow>[] = [];

  add(
    lists: readonly { readonly providerId: number; readonly ids: readonly number[] }[],
    names: ReadonlyMap<number, string>,
  ): void {
    this.parts.push({
      *[Symbol.iterator]() {
        for (const { providerId, ids } of lists) {
          for (const id of ids) {
            const trait = names.get(id);
            if (trait !== undefined) yield { providerId, trait };
          }
        }
      },
    });
  }

  *[Symbol.iterator](): Iterator<TraitRow> {
    for (const part of this.parts) yield* part;
  }
}
