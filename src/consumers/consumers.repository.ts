// Consumer rows. Whoever writes a consumer's allocations holds its row first; its generation is judged by the statement
// that takes it. A consumer exists only while it has allocations.
import { anyOf, chunks, marks, rowMarks } from '../database/sql';
import type { SqlReader, SqlValue, Statement, WriteTx } from '../database/sql';
import { assert } from '../domain/assert';
import type { Uuid } from '../domain/uuid';
import { ConsumerGenerationConflict } from '../errors/domain-errors';

/** What the writer believes about the consumer's generation. Absent and null are different beliefs. */
export type GenerationBelief =
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'mustBeNew' }
  | { readonly kind: 'expect'; readonly generation: number };

/** Who holds the allocations, by row ids. */
export interface ConsumerClaimant {
  readonly uuid: Uuid;
  readonly belief: GenerationBelief;
  readonly projectId: number;
  readonly userId: number;
  /** Undefined: an existing consumer keeps its type, a new one has none. */
  readonly typeId: number | undefined;
}

export interface HeldAllocation {
  readonly providerId: number;
  readonly classId: number;
  readonly used: number;
}

export interface HeldConsumer {
  readonly id: number;
  /** What it had before this write; empty for a new one. */
  readonly before: readonly HeldAllocation[];
}

const CONSUMERS_PER_STATEMENT = 200;

/**
 * Takes the rows of all consumers in the order of their uuids, raises their generations, gives them their owners, and
 * answers what they had. Throws ConsumerGenerationConflict for the first belief that is wrong.
 */
export async function holdConsumers(
  tx: WriteTx,
  claimants: readonly ConsumerClaimant[],
  nowMs: number,
): Promise<ReadonlyMap<Uuid, HeldConsumer>> {
  const sorted = [...claimants].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  const fresh = new Map<Uuid, HeldConsumer>();
  for (const run of runsOfOneKind(sorted)) {
    const id = await takeRows(tx, run, nowMs);
    const [only] = run;
    if (id !== undefined && run.length === 1 && only !== undefined) fresh.set(only.uuid, { id, before: [] });
  }
  const rest = sorted.map((claimant) => claimant.uuid).filter((uuid) => !fresh.has(uuid));
  return rest.length === 0 ? fresh : new Map([...fresh, ...(await readHeld(tx, rest))]);
}

/** As many new consumers as one statement takes. */
export const NEW_CONSUMERS_MAX = CONSUMERS_PER_STATEMENT;

/**
 * The same for consumers that must all be new, NEW_CONSUMERS_MAX at most: everything is issued before this returns, so
 * that what is issued behind it shares the round trip.
 */
export function holdNewConsumers(
  tx: WriteTx,
  claimants: readonly ConsumerClaimant[],
  nowMs: number,
): Promise<ReadonlyMap<Uuid, HeldConsumer>> {
  const sorted = [...claimants].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  const [only] = sorted;
  const inserting = insertNew(tx, sorted, nowMs);
  if (sorted.length === 1 && only !== undefined) {
    return inserting.then((id) => new Map([[only.uuid, { id, before: [] }]]));
  }
  const reading = tx.query<{ id: number; uuid: string }>(
    `SELECT id, uuid FROM consumers WHERE uuid IN (${marks(sorted.length)})`,
    sorted.map((claimant) => claimant.uuid),
  );
  // What fails fails for both; the first one knows what it means.
  reading.catch(() => undefined);
  return inserting.then(async () => new Map((await reading).map(({ id, uuid }) => [uuid, { id, before: [] }])));
}

/** Neighbours with the same kind of belief are taken by one statement. */
function runsOfOneKind(sorted: readonly ConsumerClaimant[]): readonly (readonly ConsumerClaimant[])[] {
  const runs: ConsumerClaimant[][] = [];
  for (const claimant of sorted) {
    const last = runs.at(-1);
    const isSame = last?.[0]?.belief.kind === claimant.belief.kind && last.length < CONSUMERS_PER_STATEMENT;
    if (last !== undefined && isSame) last.push(claimant);
    else runs.push([claimant]);
  }
  return runs;
}

/** Answers the new row's id when it took exactly one new row. */
async function takeRows(tx: WriteTx, run: readonly ConsumerClaimant[], nowMs: number): Promise<number | undefined> {
  switch (run[0]?.belief.kind) {
    case 'mustBeNew':
      return insertNew(tx, run, nowMs);
    case 'expect':
      await raiseExpected(tx, run, nowMs);
      return undefined;
    case 'unchecked':
      await upsert(tx, run, nowMs);
      return undefined;
    case undefined:
      return undefined;
  }
}

const INSERT = 'INSERT INTO consumers (uuid, generation, project_id, user_id, consumer_type_id, created_at) VALUES ';

const rowOf = (claimant: ConsumerClaimant, nowMs: number): SqlValue[] => [
  claimant.uuid,
  1,
  claimant.projectId,
  claimant.userId,
  claimant.typeId ?? null,
  nowMs,
];

async function insertNew(tx: WriteTx, run: readonly ConsumerClaimant[], nowMs: number): Promise<number> {
  try {
    return await tx.insert(
      INSERT + rowMarks(run.length, 6),
      run.flatMap((claimant) => rowOf(claimant, nowMs)),
    );
  } catch (error) {
    if (tx.dialect.classify(error) === 'duplicate') throw await conflictIn(tx, run, nowMs);
    throw error;
  }
}

async function upsert(tx: WriteTx, run: readonly ConsumerClaimant[], nowMs: number): Promise<void> {
  const columns = ['project_id', 'user_id', ...(run[0]?.typeId === undefined ? [] : ['consumer_type_id'])];
  await tx.run(
    INSERT +
      rowMarks(run.length, 6) +
      tx.dialect.onDuplicate('uuid', columns, ['generation = consumers.generation + 1', `updated_at = ${nowMs}`]),
    run.flatMap((claimant) => rowOf(claimant, nowMs)),
  );
}

async function raiseExpected(tx: WriteTx, run: readonly ConsumerClaimant[], nowMs: number): Promise<void> {
  const column = (
    name: string,
    valueOf: (claimant: ConsumerClaimant) => number | undefined,
  ): readonly [string, SqlValue[]] => {
    const given = run.filter((claimant) => valueOf(claimant) !== undefined);
    if (given.length === 0) return ['', []];
    const cases = given.map(() => 'WHEN ? THEN ?').join(' ');
    const params = given.flatMap((claimant): SqlValue[] => [claimant.uuid, valueOf(claimant) ?? null]);
    return [`, ${name} = CASE uuid ${cases} ELSE ${name} END`, params];
  };
  const columns = [
    column('project_id', (claimant) => claimant.projectId),
    column('user_id', (claimant) => claimant.userId),
    column('consumer_type_id', (claimant) => claimant.typeId),
  ];
  const matched = await tx.run(
    `UPDATE consumers SET generation = generation + 1, updated_at = ?${columns.map(([text]) => text).join('')} ` +
      `WHERE ${anyOf(run.map(() => '(uuid = ? AND generation = ?)'))}`,
    [
      nowMs,
      ...columns.flatMap(([, params]) => params),
      ...run.flatMap((claimant): SqlValue[] => [claimant.uuid, expectedOf(claimant)]),
    ],
  );
  if (matched !== run.length) throw await conflictIn(tx, run, nowMs);
}

const expectedOf = ({ belief }: ConsumerClaimant): number | null =>
  belief.kind === 'expect' ? belief.generation : null;

/** The first consumer, in the order of uuids, whose belief does not hold. */
async function conflictIn(
  sql: SqlReader,
  run: readonly ConsumerClaimant[],
  nowMs: number,
): Promise<ConsumerGenerationConflict> {
  const rows = await sql.query<{ uuid: string; generation: number; updated_at: number | null }>(
    `SELECT uuid, generation, updated_at FROM consumers WHERE uuid IN (${marks(run.length)})`,
    run.map((claimant) => claimant.uuid),
  );
  const found = new Map(rows.map((row) => [row.uuid, row]));
  const isWrong = (claimant: ConsumerClaimant): boolean => {
    const row = found.get(claimant.uuid);
    if (claimant.belief.kind === 'mustBeNew') return row !== undefined;
    // Those that were right have just been raised by the statement that found one wrong.
    return row?.updated_at !== nowMs || row.generation !== (expectedOf(claimant) ?? 0) + 1;
  };
  const wrong = run.find(isWrong) ?? run[0];
  assert(wrong !== undefined, 'a run of consumers has at least one');
  return new ConsumerGenerationConflict(wrong.uuid, expectedOf(wrong), found.get(wrong.uuid)?.generation ?? null);
}

interface HeldRow {
  readonly id: number;
  readonly uuid: string;
  readonly resource_provider_id: number | null;
  readonly resource_class_id: number;
  readonly used: number;
}

/** Ids and present allocations of consumers whose rows are held. */
async function readHeld(tx: WriteTx, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, HeldConsumer>> {
  const held = new Map<Uuid, { id: number; before: HeldAllocation[] }>();
  for (const part of chunks(uuids, CONSUMERS_PER_STATEMENT)) {
    const rows = await tx.query<HeldRow>(
      'SELECT c.id, c.uuid, a.resource_provider_id, a.resource_class_id, a.used FROM consumers c ' +
        `LEFT JOIN allocations a ON a.consumer_id = c.id WHERE c.uuid IN (${marks(part.length)})`,
      part,
    );
    for (const row of rows) {
      const consumer = held.get(row.uuid) ?? { id: row.id, before: [] };
      held.set(row.uuid, consumer);
      if (row.resource_provider_id === null) continue;
      consumer.before.push({
        providerId: row.resource_provider_id,
        classId: row.resource_class_id,
        used: row.used,
      });
    }
  }
  return held;
}

export interface SeenConsumer extends Omit<HeldConsumer, 'id'> {
  readonly generation: number;
}

/** Consumers as they are now, without holding them; for telling which of several writes cannot be. */
export async function seeConsumers(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, SeenConsumer>> {
  const rows = await sql.query<HeldRow & { generation: number }>(
    'SELECT c.id, c.uuid, c.generation, a.resource_provider_id, a.resource_class_id, a.used FROM consumers c ' +
      `LEFT JOIN allocations a ON a.consumer_id = c.id WHERE c.uuid IN (${marks(uuids.length)})`,
    uuids,
  );
  const seen = new Map<Uuid, { generation: number; before: HeldAllocation[] }>();
  for (const row of rows) {
    const consumer = seen.get(row.uuid) ?? { generation: row.generation, before: [] };
    seen.set(row.uuid, consumer);
    if (row.resource_provider_id === null) continue;
    consumer.before.push({ providerId: row.resource_provider_id, classId: row.resource_class_id, used: row.used });
  }
  return seen;
}

/** Holds the rows of consumers whatever their generations, in the order of uuids; those that are gone are left out. */
export async function holdPresentConsumers(
  tx: WriteTx,
  uuids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, HeldConsumer>> {
  const sorted = [...new Set(uuids)].sort();
  for (const part of chunks(sorted, CONSUMERS_PER_STATEMENT)) {
    await tx.query(
      `SELECT id FROM consumers WHERE uuid IN (${marks(part.length)}) ORDER BY uuid${tx.dialect.forUpdate}`,
      part,
    );
  }
  return readHeld(tx, sorted);
}

/** Holds one consumer's row whatever its generation; undefined when there is none. */
export async function holdConsumer(tx: WriteTx, uuid: Uuid): Promise<HeldConsumer | undefined> {
  const [row] = await tx.query(`SELECT id FROM consumers WHERE uuid = ?${tx.dialect.forUpdate}`, [uuid]);
  if (row === undefined) return undefined;
  return (await readHeld(tx, [uuid])).get(uuid);
}

export function deleteConsumers(ids: readonly number[]): readonly Statement[] {
  return chunks(ids, CONSUMERS_PER_STATEMENT).map((part) => ({
    sql: `DELETE FROM consumers WHERE id IN (${marks(part.length)})`,
    params: part,
  }));
}
