// Imports the trees of providers: inserts missing providers, parents first, and updates those that differ.
import { StoredProvider } from '../../placement/resource-providers/resource-provider.entity';
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import { WHOLE_LOAD } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import { chunks, marks } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import { insertRows, updateById } from '../rows';
import type { CleanProvider } from './clean-up-providers';
import type { ImportContext, NewIds } from './import-context';

const COLUMNS = new Table(StoredProvider).only('id', 'uuid', 'name', 'generation', 'parentId', 'rootId');
type OurProvider = RowOf<typeof COLUMNS> & { name: string };

interface ImportedProviders {
  readonly ids: NewIds;
  /** Providers in Berth that the reference does not have, with their parents. */
  readonly stale: readonly Pick<StoredProvider, 'id' | 'parentId'>[];
}

export async function importProviders(
  context: ImportContext,
  sourceProviders: readonly CleanProvider[],
): Promise<ImportedProviders> {
  context.progress.stage('providers', sourceProviders.length);
  const ours = await readExisting(context);
  await makeNamesFree(context, sourceProviders, ours);
  const ids = new Map<Uuid, number>([...ours].map(([uuid, { id }]) => [uuid, id]));
  await insertMissing(context, sourceProviders, ids);
  await changeOthers(context, sourceProviders, ours, ids);
  const kept = new Set(sourceProviders.map(({ uuid }) => uuid));
  return {
    ids: new Map(sourceProviders.map(({ id, uuid }) => [id, idOf(ids, uuid)])),
    stale: [...ours.values()].filter(({ uuid }) => !kept.has(uuid)),
  };
}

function idOf(ids: ReadonlyMap<Uuid, number>, uuid: Uuid): number {
  const id = ids.get(uuid);
  if (id === undefined) throw new Error(`resource provider ${uuid} was not written`);
  return id;
}

async function readExisting({ database }: ImportContext): Promise<ReadonlyMap<Uuid, OurProvider>> {
  const found = new Map<Uuid, OurProvider>();
  await database.readMuch(
    (sql) =>
      sql.each<OurProvider>(
        `SELECT ${COLUMNS.as('p')} FROM resource_providers p ORDER BY id`,
        [],
        (row) => void found.set(row.uuid, { ...row }),
      ),
    WHOLE_LOAD,
  );
  return found;
}

/**
 * Renames providers whose name another provider must get: a host was deleted and created again, or two hosts swapped
 * their names. In a merge both providers stay, so this is a conflict that the operator must resolve.
 */
async function makeNamesFree(
  { database, mode }: ImportContext,
  sourceProviders: readonly CleanProvider[],
  ours: ReadonlyMap<Uuid, OurProvider>,
): Promise<void> {
  const wantedBy = new Map(sourceProviders.map(({ name, uuid }) => [name, uuid]));
  const taken = [...ours.values()].filter(({ name, uuid }) => (wantedBy.get(name) ?? uuid) !== uuid);
  const [first] = taken;
  if (first === undefined) return;
  if (mode === 'merge') {
    throw new Error(
      `${taken.length} names belong to other resource providers here than in the reference; the first is "${first.name}", ` +
        `which is ${first.uuid} here and ${wantedBy.get(first.name) ?? ''} there`,
    );
  }
  for (const part of chunks(taken, TRANSFER_LIMITS.providersPerWrite)) {
    await database.write(async (tx) => {
      for (const provider of part) {
        await tx.run('UPDATE resource_providers SET name = ? WHERE id = ?', [`~${provider.uuid}`, provider.id]);
        tx.changes.tree(provider.id);
      }
    });
    for (const provider of part) provider.name = `~${provider.uuid}`;
  }
}

async function insertMissing(
  { database, progress, written, now }: ImportContext,
  sourceProviders: readonly CleanProvider[],
  ids: Map<Uuid, number>,
): Promise<void> {
  const levels: CleanProvider[][] = [];
  for (const provider of sourceProviders) if (!ids.has(provider.uuid)) (levels[provider.depth] ??= []).push(provider);
  // A level without missing providers is a hole in the array, which `map` would skip.
  for (const level of Array.from(levels, (each: CleanProvider[] | undefined) => each ?? [])) {
    for (const part of chunks(level, TRANSFER_LIMITS.providersPerWrite)) {
      const nowMs = now();
      const fresh = await database.write((tx) => insertProviders(tx, part, ids, nowMs));
      for (const { id, uuid } of fresh) ids.set(uuid, id);
      written.count += part.length;
      progress.advance(part.length);
    }
  }
}

async function insertProviders(
  tx: WriteTx,
  part: readonly CleanProvider[],
  ids: ReadonlyMap<Uuid, number>,
  nowMs: number,
): Promise<readonly Pick<StoredProvider, 'id' | 'uuid'>[]> {
  await insertRows(
    tx,
    'resource_providers',
    part.map(({ uuid, name, generation, parent, root, createdAtMs, updatedAtMs }) => ({
      uuid,
      name,
      generation,
      parent_provider_id: parent === null ? null : idOf(ids, parent.uuid),
      root_provider_id: parent === null ? null : idOf(ids, root.uuid),
      created_at: createdAtMs ?? nowMs,
      updated_at: updatedAtMs ?? null,
    })),
  );
  const uuids = part.map(({ uuid }) => uuid);
  const among = `uuid IN (${marks(part.length)})`;
  // A root is its own root.
  if (part[0]?.depth === 0) await tx.run(`UPDATE resource_providers SET root_provider_id = id WHERE ${among}`, uuids);
  const fresh = await tx.query<Pick<StoredProvider, 'id' | 'uuid'>>(
    `SELECT id, uuid FROM resource_providers WHERE ${among}`,
    uuids,
  );
  for (const { id } of fresh) tx.changes.tree(id);
  return fresh;
}

async function changeOthers(
  context: ImportContext,
  sourceProviders: readonly CleanProvider[],
  ours: ReadonlyMap<Uuid, OurProvider>,
  ids: ReadonlyMap<Uuid, number>,
): Promise<void> {
  const changes = sourceProviders.flatMap((provider) => {
    const own = ours.get(provider.uuid);
    return own === undefined ? [] : (changeOf(context, provider, own, ids) ?? []);
  });
  for (const part of chunks(changes, TRANSFER_LIMITS.providersPerWrite)) {
    await context.database.write(async (tx) => {
      // Sorted by id, which is the lock order.
      const sorted = [...part].sort((a, b) => a.id - b.id);
      await tx.batch(
        sorted.map(({ id, name, generation, parentId, rootId, source: { updatedAtMs = null } }) => {
          const columns = { name, generation, parent_provider_id: parentId, root_provider_id: rootId };
          return updateById('resource_providers', id, { ...columns, updated_at: updatedAtMs });
        }),
      );
      for (const { id, isSeenBySearches } of sorted) if (isSeenBySearches) tx.changes.tree(id);
    });
    context.written.count += part.length;
  }
  context.progress.advance(sourceProviders.filter(({ uuid }) => ours.has(uuid)).length);
}

function changeOf({ mode }: ImportContext, source: CleanProvider, own: OurProvider, ids: ReadonlyMap<Uuid, number>) {
  const parentId = source.parent === null ? null : idOf(ids, source.parent.uuid);
  const rootId = idOf(ids, source.root.uuid);
  // A merge never lowers a generation, because clients can have read it.
  const generation = mode === 'merge' ? Math.max(own.generation, source.generation) : source.generation;
  const isSeenBySearches = source.name !== own.name || parentId !== own.parentId || rootId !== own.rootId;
  if (!isSeenBySearches && generation === own.generation) return undefined;
  return { id: own.id, source, name: source.name, parentId, rootId, generation, isSeenBySearches };
}

/** Deletes providers that the reference does not have, children first. Their allocations have been deleted before. */
export async function removeProviders(
  { database, written }: ImportContext,
  stale: ImportedProviders['stale'],
): Promise<void> {
  let left = [...stale];
  while (left.length > 0) {
    const parents = new Set(left.map(({ parentId }) => parentId));
    const leaves = left.filter(({ id }) => !parents.has(id));
    // The remaining providers form a loop of parents, which has no leaf. All of them are deleted together.
    const going = leaves.length === 0 ? left : leaves;
    for (const part of chunks(going, TRANSFER_LIMITS.providersPerWrite)) {
      await database.write((tx) =>
        removeRows(
          tx,
          part.map(({ id }) => id),
        ),
      );
      written.count += part.length;
    }
    const gone = new Set(going.map(({ id }) => id));
    left = left.filter(({ id }) => !gone.has(id));
  }
}

async function removeRows(tx: WriteTx, ids: readonly number[]): Promise<void> {
  const sorted = [...ids].sort((a, b) => a - b);
  const among = marks(sorted.length);
  await tx.run(
    `UPDATE resource_providers SET holds = holds + 1, parent_provider_id = NULL WHERE id IN (${among})`,
    sorted,
  );
  for (const table of ['inventories', 'resource_provider_traits', 'resource_provider_aggregates']) {
    await tx.run(`DELETE FROM ${table} WHERE resource_provider_id IN (${among})`, sorted);
  }
  await tx.run(`DELETE FROM resource_providers WHERE id IN (${among})`, sorted);
  for (const id of sorted) tx.changes.tree(id);
}
