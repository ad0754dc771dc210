// Imports consumers and their allocations. Each page of the reference's consumers is compared with Berth's rows and
// written in one transaction with the changes of usage. The database is therefore consistent even after an
// interruption.
import { deleteAllocations, insertAllocations } from '../../placement/allocations/allocations.writes';
import { unjudgedMoves } from '../../placement/allocations/claim-law';
import { StoredAllocation } from '../../placement/consumers/allocation.entity';
import { StoredConsumer } from '../../placement/consumers/consumer.entity';
import type { HeldAllocation } from '../../placement/consumers/consumers.writes';
import { deleteConsumers } from '../../placement/consumers/consumers.writes';
import { moveUsage, recordKey } from '../../placement/inventories/usage.writes';
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import { StartOver } from '../../platform/database/database';
import type { SqlParams, SqlReader, WriteTx } from '../../platform/database/sql';
import { chunks, marks, queryAmong } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import type { Row } from '../rows';
import { insertRows, updateById } from '../rows';
import type { ConsumerPage } from './consumer-pages';
import { consumerPages } from './consumer-pages';
import type { ImportContext, ImportMode, NameIds, NewIds } from './import-context';
import type { WantedConsumer } from './wanted-consumers';
import { wantedConsumers } from './wanted-consumers';

export async function importConsumers(
  context: ImportContext,
  providers: NewIds,
  names: NameIds,
  rows: number,
): Promise<void> {
  context.progress.stage('allocations', rows);
  for await (const page of consumerPages(context.reader, context.findings)) {
    const found = await context.reader.allocations(page.after, page.upTo);
    for (const { consumer_uuid: uuid } of found) {
      if (canonicalUuid(uuid) === undefined) context.findings.add('bad-uuid', `consumer ${uuid}`);
    }
    // Rows with a non-canonical uuid sort elsewhere; they are read with the page of their canonical uuid.
    const here = [
      ...found.filter(({ consumer_uuid: uuid }) => canonicalUuid(uuid) === uuid),
      ...(await context.reader.allocationsOf(page.nonCanonical)),
    ];
    await writePage(context, page, wantedConsumers(here, { providers, names }, context.findings));
    context.progress.advance(here.length);
  }
}

const COLUMNS = new Table(StoredConsumer).only('id', 'uuid', 'generation', 'projectId', 'userId', 'typeId');
const HELD = new Table(StoredAllocation).only('consumerId', 'providerId', 'classId', 'used');

interface OurConsumer extends RowOf<typeof COLUMNS> {
  /** Keyed by `recordKey`. */
  readonly allocations: Map<string, HeldAllocation>;
}

async function writePage(
  { database, mode, written, now }: ImportContext,
  page: ConsumerPage,
  sourceConsumers: ReadonlyMap<Uuid, WantedConsumer>,
): Promise<void> {
  const consumersRead = await database.read((sql) => readExisting(sql, page, ''));
  if (differenceOf(consumersRead, sourceConsumers, mode).isNothing) return;
  const count = await database.write(async (tx) => {
    const lockedConsumers = await readExisting(tx, page, tx.dialect.forUpdate);
    return apply(tx, differenceOf(lockedConsumers, sourceConsumers, mode), now());
  });
  written.count += count;
}

async function readExisting(
  sql: SqlReader,
  { after, upTo }: ConsumerPage,
  lock: string,
): Promise<ReadonlyMap<Uuid, OurConsumer>> {
  const params: SqlParams = upTo === null ? [after] : [after, upTo];
  const range = upTo === null ? 'uuid > ?' : 'uuid > ? AND uuid <= ?';
  const consumers = await sql.query<RowOf<typeof COLUMNS>>(
    `SELECT ${COLUMNS.as('c')} FROM consumers c WHERE ${range} ORDER BY uuid${lock}`,
    params,
  );
  const found = new Map<number, OurConsumer>();
  for (const row of consumers) found.set(row.id, { ...row, allocations: new Map() });
  const heldBy = (among: string): string => `SELECT ${HELD.as('a')} FROM allocations a WHERE consumer_id IN (${among})`;
  for (const { consumerId, ...allocation } of await queryAmong<RowOf<typeof HELD>>(sql, [...found.keys()], heldBy)) {
    found.get(consumerId)?.allocations.set(recordKey(allocation.providerId, allocation.classId), allocation);
  }
  return new Map([...found.values()].map((consumer) => [consumer.uuid, consumer]));
}

function differenceOf(
  ours: ReadonlyMap<Uuid, OurConsumer>,
  sourceConsumers: ReadonlyMap<Uuid, WantedConsumer>,
  mode: ImportMode,
) {
  const fresh = [...sourceConsumers.values()].filter(({ uuid }) => !ours.has(uuid));
  const changed = [...sourceConsumers.values()].flatMap((consumer): [OurConsumer, WantedConsumer][] => {
    const own = ours.get(consumer.uuid);
    return own === undefined || isSame(own, consumer, mode) ? [] : [[own, risen(own, consumer, mode)]];
  });
  const gone = mode === 'merge' ? [] : [...ours.values()].filter(({ uuid }) => !sourceConsumers.has(uuid));
  return { fresh, changed, gone, isNothing: fresh.length + changed.length + gone.length === 0 };
}

/** A merge never lowers a generation, because clients can have read it. */
const risen = (own: OurConsumer, source: WantedConsumer, mode: ImportMode): WantedConsumer =>
  mode === 'merge' && own.generation >= source.generation ? { ...source, generation: own.generation + 1 } : source;

function isSame(own: OurConsumer, source: WantedConsumer, mode: ImportMode): boolean {
  const isSameGeneration =
    mode === 'merge' ? own.generation >= source.generation : own.generation === source.generation;
  return (
    isSameGeneration &&
    own.projectId === source.projectId &&
    own.userId === source.userId &&
    own.typeId === source.typeId &&
    own.allocations.size === source.allocations.size &&
    [...source.allocations].every(([key, { used }]) => own.allocations.get(key)?.used === used)
  );
}

/**
 * Writes consumers by uuid, then inventories, then allocations: the lock order of all writers. Returns the row count.
 */
async function apply(
  tx: WriteTx,
  { fresh, changed, gone }: ReturnType<typeof differenceOf>,
  nowMs: number,
): Promise<number> {
  await changeConsumers(tx, changed, nowMs);
  const ids = await insertConsumers(tx, fresh, nowMs);
  const heldBy = ({ allocations }: OurConsumer | WantedConsumer): readonly HeldAllocation[] => [
    ...allocations.values(),
  ];
  const moves = unjudgedMoves([
    ...fresh.map((source) => ({ before: [], after: heldBy(source) })),
    ...changed.map(([own, source]) => ({ before: heldBy(own), after: heldBy(source) })),
    ...gone.map((own) => ({ before: heldBy(own), after: [] })),
  ]);
  if (!(await moveUsage(tx, moves))) throw new StartOver('an inventory record is gone');
  const emptied = [...changed.map(([own]) => own), ...gone];
  const rows = [
    ...fresh.flatMap((consumer) => rowsOf(consumer, ids.get(consumer.uuid) ?? 0, nowMs)),
    ...changed.flatMap(([own, source]) => rowsOf(source, own.id, nowMs)),
  ];
  await tx.batch([
    ...deleteAllocations(emptied.map(({ id, allocations }) => ({ consumerId: id, rows: allocations.size }))),
    ...insertAllocations(rows),
    ...deleteConsumers(gone.map(({ id }) => id)),
  ]);
  return fresh.length + emptied.length + rows.length;
}

async function changeConsumers(
  tx: WriteTx,
  changed: readonly (readonly [OurConsumer, WantedConsumer])[],
  nowMs: number,
): Promise<void> {
  const sorted = [...changed].sort(([a], [b]) => (a.uuid < b.uuid ? -1 : 1));
  await tx.batch(
    sorted.map(([{ id }, source]) =>
      updateById('consumers', id, { ...columnsOf(source), updated_at: source.updatedAtMs ?? nowMs }),
    ),
  );
}

async function insertConsumers(
  tx: WriteTx,
  fresh: readonly WantedConsumer[],
  nowMs: number,
): Promise<ReadonlyMap<Uuid, number>> {
  const ids = new Map<Uuid, number>();
  const sorted = [...fresh].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  for (const part of chunks(sorted, DATABASE_LIMITS.rowsPerInsert)) {
    await insertRows(
      tx,
      'consumers',
      part.map((each) => ({
        uuid: each.uuid,
        ...columnsOf(each),
        created_at: each.createdAtMs ?? nowMs,
        updated_at: each.updatedAtMs ?? null,
      })),
    );
    const rows = await tx.query<{ id: number; uuid: Uuid }>(
      `SELECT id, uuid FROM consumers WHERE uuid IN (${marks(part.length)})`,
      part.map(({ uuid }) => uuid),
    );
    for (const { id, uuid } of rows) ids.set(uuid, id);
  }
  return ids;
}

const columnsOf = ({ generation, projectId, userId, typeId }: WantedConsumer): Row => ({
  generation,
  project_id: projectId,
  user_id: userId,
  consumer_type_id: typeId,
});

const rowsOf = (consumer: WantedConsumer, consumerId: number, nowMs: number): readonly StoredAllocation[] =>
  [...consumer.allocations.values()].map(({ providerId, classId, used, createdAtMs }) => ({
    consumerId,
    providerId,
    classId,
    used,
    createdAtMs: createdAtMs ?? nowMs,
  }));
