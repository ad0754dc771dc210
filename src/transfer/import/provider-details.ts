// Imports inventories, traits and aggregates of providers, in blocks of reference ids. Each block is compared with
// Berth's rows and written in one transaction.
import { StoredProviderAggregate } from '../../placement/aggregates/aggregate.entity';
import type { InventoryRecord } from '../../placement/domain/inventory';
import { capacityOf, RECORD_FIELDS } from '../../placement/domain/inventory';
import { recordBodyOf, recordOf } from '../../placement/inventories/inventories.schema';
import { StoredInventory } from '../../placement/inventories/inventory.entity';
import { recordKey } from '../../placement/inventories/usage.writes';
import { StoredProviderTrait } from '../../placement/provider-traits/provider-trait.entity';
import type { ProviderLink } from '../../placement/resource-providers/provider-links.writes';
import { ProviderLinks } from '../../placement/resource-providers/provider-links.writes';
import { holdProviders } from '../../placement/resource-providers/providers.writes';
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { chunks, marks } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import { addTo } from '../../platform/values/lists-by-key';
import type { LinkRow } from '../reference/reader';
import { momentOf } from '../reference/times';
import type { Row } from '../rows';
import { insertRows, updateById } from '../rows';
import type { ImportContext, NameIds, NewIds } from './import-context';

interface WantedInventory extends InventoryRecord {
  readonly providerId: number;
  readonly classId: number;
  readonly createdAtMs: number | undefined;
  readonly updatedAtMs: number | undefined;
}

const COLUMNS = new Table(StoredInventory).only('id', 'providerId', 'classId', ...RECORD_FIELDS);
type OurInventory = RowOf<typeof COLUMNS>;

/** Keyed by ids in Berth. */
interface Details {
  readonly inventories: ReadonlyMap<string, WantedInventory>;
  readonly traits: ReadonlyMap<string, ProviderLink>;
  readonly aggregates: ReadonlyMap<string, ProviderLink>;
}

interface StaleInventory {
  readonly id: number;
  readonly providerId: number;
}

const linkKey = ({ providerId, id }: ProviderLink): string => `${providerId}/${id}`;

/** Returns Berth's inventories that must be deleted after their allocations are gone. */
export async function importDetails(
  context: ImportContext,
  providers: NewIds,
  names: NameIds,
  rows: number,
): Promise<readonly StaleInventory[]> {
  context.progress.stage('inventories', rows);
  const stale: StaleInventory[] = [];
  for (const [block, ids] of blocksOf([...providers.keys()])) {
    const [low, high] = [
      block * TRANSFER_LIMITS.providersPerBlock,
      (block + 1) * TRANSFER_LIMITS.providersPerBlock - 1,
    ];
    const sourceDetails = await readWanted(context, { low, high }, providers, names);
    const ours = ids.map((id) => providers.get(id) ?? 0);
    stale.push(...(await writeDetails(context, ours, sourceDetails)));
  }
  return context.mode === 'mirror' ? stale : [];
}

function blocksOf(ids: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const blocks = new Map<number, number[]>();
  for (const id of ids) {
    addTo(blocks, Math.floor(id / TRANSFER_LIMITS.providersPerBlock), id);
  }
  return blocks;
}

async function readWanted(
  { reader, findings, progress }: ImportContext,
  { low, high }: { readonly low: number; readonly high: number },
  providers: NewIds,
  names: NameIds,
): Promise<Details> {
  const inventories = new Map<string, WantedInventory>();
  const rows = await reader.inventories(low, high);
  for (const row of rows) {
    const [providerId, classId] = [
      providers.get(row.resource_provider_id),
      names.resource_classes.get(row.resource_class_id),
    ];
    if (classId === undefined) findings.add('inventory-without-class', `class id ${row.resource_class_id}`);
    if (providerId === undefined || classId === undefined) continue;
    inventories.set(recordKey(providerId, classId), {
      ...recordOf({ ...row, allocation_ratio: Number(row.allocation_ratio) }),
      providerId,
      classId,
      createdAtMs: momentOf(row.created_at),
      updatedAtMs: momentOf(row.updated_at),
    });
  }
  const [traits, aggregates] = [await reader.links('traits', low, high), await reader.links('aggregates', low, high)];
  progress.advance(rows.length + traits.length + aggregates.length);
  const links = (from: readonly LinkRow[], ids: NewIds): ReadonlyMap<string, ProviderLink> =>
    new Map(
      from.flatMap((link) => {
        const [providerId, id] = [providers.get(link.resource_provider_id), ids.get(link.ref_id)];
        if (providerId !== undefined && id === undefined) {
          findings.add('link-without-end', `id ${link.ref_id} of provider id ${link.resource_provider_id}`);
        }
        if (providerId === undefined || id === undefined) return [];
        return [[linkKey({ providerId, id }), { providerId, id }]];
      }),
    );
  return {
    inventories,
    traits: links(traits, names.traits),
    aggregates: links(aggregates, names.placement_aggregates),
  };
}

async function writeDetails(
  { database, mode, written, now }: ImportContext,
  providerIds: readonly number[],
  sourceDetails: Details,
): Promise<readonly StaleInventory[]> {
  const work = async (tx: SqlReader): Promise<Difference> =>
    differenceOf(await readExisting(tx, providerIds), sourceDetails);
  const difference = await database.readSnapshot(work);
  if (isNothing(difference, mode)) return difference.staleInventories;
  return database.write(async (tx) => {
    await holdProviders(tx, providerIds);
    const now_ = await work(tx);
    written.count += await apply(tx, now_, mode, now());
    return now_.staleInventories;
  });
}

type Difference = ReturnType<typeof differenceOf>;

const isNothing = ({ missing, changed, links }: Difference, mode: ImportContext['mode']): boolean =>
  missing.length + changed.length === 0 &&
  links.every((link) => link.missing.length === 0 && (mode === 'merge' || link.stale.length === 0));

const LINKS = [
  { of: 'traits', table: new Table(StoredProviderTrait), rows: new ProviderLinks(StoredProviderTrait) },
  { of: 'aggregates', table: new Table(StoredProviderAggregate), rows: new ProviderLinks(StoredProviderAggregate) },
] as const;

async function readExisting(sql: SqlReader, providerIds: readonly number[]) {
  const among = `WHERE resource_provider_id IN (${marks(providerIds.length)})`;
  const inventories = await sql.query<OurInventory>(
    `SELECT ${COLUMNS.as('i')} FROM inventories i ${among}`,
    providerIds,
  );
  const links: (readonly ProviderLink[])[] = [];
  for (const { table } of LINKS) {
    links.push(await sql.query<ProviderLink>(`SELECT ${table.all.as('l')} FROM ${table.name} l ${among}`, providerIds));
  }
  return { inventories, links };
}

function differenceOf(ours: Awaited<ReturnType<typeof readExisting>>, sourceDetails: Details) {
  const keyOf = ({ providerId, classId }: OurInventory): string => recordKey(providerId, classId);
  const known = new Map(ours.inventories.map((row) => [keyOf(row), row]));
  return {
    missing: [...sourceDetails.inventories].filter(([key]) => !known.has(key)).map(([, row]) => row),
    changed: [...sourceDetails.inventories].flatMap(
      ([key, row]): (readonly [id: number, wanted: WantedInventory])[] => {
        const own = known.get(key);
        return own === undefined || RECORD_FIELDS.every((field) => own[field] === row[field]) ? [] : [[own.id, row]];
      },
    ),
    staleInventories: ours.inventories.filter((row) => !sourceDetails.inventories.has(keyOf(row))),
    links: LINKS.map(({ of, rows }, at) => {
      const own = ours.links[at] ?? [];
      const have = new Set(own.map(linkKey));
      return {
        rows,
        missing: [...sourceDetails[of]].filter(([key]) => !have.has(key)).map(([, link]) => link),
        stale: own.filter((link) => !sourceDetails[of].has(linkKey(link))),
      };
    }),
  };
}

async function apply(
  tx: WriteTx,
  { missing, changed, links }: Difference,
  mode: ImportContext['mode'],
  nowMs: number,
): Promise<number> {
  for (const part of chunks(byKey(missing), DATABASE_LIMITS.rowsPerInsert)) {
    await insertRows(
      tx,
      'inventories',
      part.map((row) => ({
        resource_provider_id: row.providerId,
        resource_class_id: row.classId,
        ...columnsOf(row),
        created_at: row.createdAtMs ?? nowMs,
        updated_at: row.updatedAtMs ?? null,
      })),
    );
  }
  for (const [id, row] of changed) {
    const columns = { ...columnsOf(row), updated_at: row.updatedAtMs ?? nowMs };
    const { sql, params } = updateById('inventories', id, columns, ['version = version + 1']);
    await tx.run(sql, params);
  }
  let count = missing.length + changed.length;
  const touched = new Set([...missing, ...changed.map(([, row]) => row)].map(({ providerId }) => providerId));
  for (const link of links) {
    const stale = mode === 'mirror' ? link.stale : [];
    await link.rows.add(tx, link.missing);
    await link.rows.remove(tx, stale);
    for (const { providerId } of [...link.missing, ...stale]) touched.add(providerId);
    count += link.missing.length + stale.length;
  }
  for (const id of touched) tx.changes.tree(id);
  return count;
}

const byKey = (rows: readonly WantedInventory[]): readonly WantedInventory[] =>
  [...rows].sort((a, b) => a.providerId - b.providerId || a.classId - b.classId);

const columnsOf = (record: WantedInventory): Row => ({ ...recordBodyOf(record), capacity: capacityOf(record) });

/** Deletes inventories that the reference no longer has. Their allocations have been deleted before. */
export async function removeInventories(
  { database, written }: ImportContext,
  stale: readonly StaleInventory[],
): Promise<void> {
  for (const part of chunks(stale, TRANSFER_LIMITS.providersPerWrite)) {
    await database.write(async (tx) => {
      await holdProviders(
        tx,
        part.map(({ providerId }) => providerId),
      );
      const ids = part.map(({ id }) => id);
      const gone = await tx.run(`DELETE FROM inventories WHERE used = 0 AND id IN (${marks(ids.length)})`, ids);
      if (gone !== ids.length) throw new Error('an inventory that the reference does not have is in use here');
      for (const { providerId } of part) tx.changes.tree(providerId);
    });
    written.count += part.length;
  }
}
