// Consumer rows. A writer of a consumer's allocations locks its row first; the same statement compares its generation.
// A consumer exists only while it has allocations.
import type { StatementResult } from '../../platform/database/sql';
import type { SqlReader, SqlValue, Statement, WriteTx } from '../../platform/database/sql';
import { anyOf, chunks, marks, queryAmong } from '../../platform/database/sql';
import type { JoinedRow, RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import { assert } from '../../platform/values/assert';
import { ConsumerGenerationConflict } from '../../platform/values/errors';
import { compareText } from '../../platform/values/text-order';
import type { Uuid } from '../../platform/values/uuid';
import { StoredAllocation } from './allocation.entity';
import { StoredConsumer } from './consumer.entity';

/** The consumer generation that the writer expects. `unchecked` (no expectation) differs from `mustBeNew`. */
export type ExpectedGeneration =
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'mustBeNew' }
  | { readonly kind: 'expect'; readonly generation: number };

/** The consumer of a write with its owner, by row ids. */
export interface ConsumerClaimant extends Pick<StoredConsumer, 'uuid' | 'projectId' | 'userId'> {
  readonly expectedGeneration: ExpectedGeneration;
  /** Undefined: an existing consumer keeps its type, a new one gets none. */
  readonly typeId: number | undefined;
}

const HELD = new Table(StoredAllocation).only('providerId', 'classId', 'used');

export type HeldAllocation = RowOf<typeof HELD>;

export interface HeldConsumer extends Pick<StoredConsumer, 'id'> {
  /** Allocations before this write; empty for a new consumer. */
  readonly before: readonly HeldAllocation[];
}

export interface SeenConsumer extends HeldConsumer, Pick<StoredConsumer, 'generation'> {}

const CONSUMERS = new Table(StoredConsumer);
const CREATED = CONSUMERS.without('id', 'updatedAtMs');
const SEEN = CONSUMERS.only('id', 'uuid', 'generation');
const JUDGED = CONSUMERS.only('uuid', 'generation', 'updatedAtMs');

const CONSUMERS_PER_STATEMENT = 200;
const PER_STATEMENT = { size: CONSUMERS_PER_STATEMENT };

/**
 * Locks the rows of all consumers in the order of uuids, increments their generations, sets their owners, and returns
 * their allocations. Throws ConsumerGenerationConflict for the first wrong expectation.
 */
export async function holdConsumers(
  tx: WriteTx,
  claimants: readonly ConsumerClaimant[],
  nowMs: number,
): Promise<ReadonlyMap<Uuid, HeldConsumer>> {
  const sorted = inOrder(claimants);
  const fresh = new Map<Uuid, HeldConsumer>();
  for (const run of runsOfOneKind(sorted)) {
    const id = await takeRows(tx, run, nowMs);
    const [only] = run;
    if (id !== undefined && run.length === 1 && only !== undefined) fresh.set(only.uuid, { id, before: [] });
  }
  const rest = sorted.map((claimant) => claimant.uuid).filter((uuid) => !fresh.has(uuid));
  if (rest.length === 0) return fresh;
  const read = await readConsumers(tx, rest);
  return fresh.size === 0 ? read : new Map([...fresh, ...read]);
}

/** The maximum number of new consumers in one statement. */
export const NEW_CONSUMERS_MAX = CONSUMERS_PER_STATEMENT;

/**
 * Statements that insert at most NEW_CONSUMERS_MAX consumers. If one exists, they fail with a duplicate-key error;
 * `conflictOfNew` finds it.
 */
export function takingNewConsumers(claimants: readonly ConsumerClaimant[], nowMs: number): readonly Statement[] {
  const sorted = inOrder(claimants);
  const inserting = insertion(sorted, nowMs);
  if (sorted.length === 1) return [inserting];
  const sql = `SELECT id, uuid FROM consumers WHERE uuid IN (${marks(sorted.length)})`;
  return [inserting, { sql, params: sorted.map(({ uuid }) => uuid) }];
}

/** The consumers, from the results of `takingNewConsumers`. */
export function newConsumersOf(
  [only, ...others]: readonly ConsumerClaimant[],
  [inserted, read]: readonly StatementResult[],
): ReadonlyMap<Uuid, HeldConsumer> {
  if (only === undefined || inserted === undefined) return new Map();
  if (others.length === 0) return new Map([[only.uuid, { id: inserted.insertId, before: [] }]]);
  const rows = (read?.rows ?? []) as readonly Pick<StoredConsumer, 'id' | 'uuid'>[];
  return new Map(rows.map(({ id, uuid }) => [uuid, { id, before: [] }]));
}

/** The error for the first of these consumers that exists although all must be new. */
export const conflictOfNew = (
  sql: SqlReader,
  claimants: readonly ConsumerClaimant[],
  nowMs: number,
): Promise<ConsumerGenerationConflict> => conflictIn(sql, inOrder(claimants), nowMs);

const inOrder = (claimants: readonly ConsumerClaimant[]): readonly ConsumerClaimant[] =>
  [...claimants].sort((a, b) => compareText(a.uuid, b.uuid));

/** Adjacent consumers with the same kind of expectation share a statement. */
function runsOfOneKind(sorted: readonly ConsumerClaimant[]): readonly (readonly ConsumerClaimant[])[] {
  const runs: ConsumerClaimant[][] = [];
  for (const claimant of sorted) {
    const last = runs.at(-1);
    const isSame =
      last?.[0]?.expectedGeneration.kind === claimant.expectedGeneration.kind && last.length < CONSUMERS_PER_STATEMENT;
    if (last !== undefined && isSame) last.push(claimant);
    else runs.push([claimant]);
  }
  return runs;
}

/** Returns the id of the new row if it inserted exactly one. */
async function takeRows(tx: WriteTx, run: readonly ConsumerClaimant[], nowMs: number): Promise<number | undefined> {
  switch (run[0]?.expectedGeneration.kind) {
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

const insertion = (run: readonly ConsumerClaimant[], nowMs: number): Statement =>
  CREATED.insert(
    run.map(({ uuid, projectId, userId, typeId = null }) => ({
      uuid,
      projectId,
      userId,
      typeId,
      generation: 1,
      createdAtMs: nowMs,
    })),
  );

async function insertNew(tx: WriteTx, run: readonly ConsumerClaimant[], nowMs: number): Promise<number> {
  try {
    const { sql, params } = insertion(run, nowMs);
    return await tx.insert(sql, params);
  } catch (error) {
    if (tx.dialect.classify(error) === 'duplicate') throw await conflictIn(tx, run, nowMs);
    throw error;
  }
}

async function upsert(tx: WriteTx, run: readonly ConsumerClaimant[], nowMs: number): Promise<void> {
  const columns = ['project_id', 'user_id', ...(run[0]?.typeId === undefined ? [] : ['consumer_type_id'])];
  const raise = ['generation = consumers.generation + 1', `updated_at = ${nowMs}`];
  const { sql, params } = insertion(run, nowMs);
  await tx.run(sql + tx.dialect.onDuplicate('uuid', columns, raise), params);
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

const expectedOf = ({ expectedGeneration }: ConsumerClaimant): number | null =>
  expectedGeneration.kind === 'expect' ? expectedGeneration.generation : null;

/** The error for the first consumer, in the order of uuids, whose expectation is wrong. */
async function conflictIn(
  sql: SqlReader,
  run: readonly ConsumerClaimant[],
  nowMs: number,
): Promise<ConsumerGenerationConflict> {
  const rows = await sql.query<RowOf<typeof JUDGED>>(
    `SELECT ${JUDGED.as('c')} FROM consumers c WHERE c.uuid IN (${marks(run.length)})`,
    run.map((claimant) => claimant.uuid),
  );
  const found = new Map(rows.map((row) => [row.uuid, row]));
  const isWrong = (claimant: ConsumerClaimant): boolean => {
    const row = found.get(claimant.uuid);
    if (claimant.expectedGeneration.kind === 'mustBeNew') return row !== undefined;
    // The statement has just incremented the rows with the right generation.
    return row?.updatedAtMs !== nowMs || row.generation !== (expectedOf(claimant) ?? 0) + 1;
  };
  const wrong = run.find(isWrong) ?? run[0];
  assert(wrong !== undefined, 'a run of consumers has at least one');
  return new ConsumerGenerationConflict(wrong.uuid, expectedOf(wrong), found.get(wrong.uuid)?.generation ?? null);
}

type FoundConsumer = RowOf<typeof SEEN> & JoinedRow<HeldAllocation>;

/** Consumers with their current allocations. These are stable only if the caller holds the rows. */
export async function readConsumers(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, SeenConsumer>> {
  const found = new Map<Uuid, SeenConsumer & { before: HeldAllocation[] }>();
  for (const part of chunks(uuids, CONSUMERS_PER_STATEMENT)) {
    // Row by row, because a consumer can have as many rows as a claim allows.
    await sql.each<FoundConsumer>(
      `SELECT ${SEEN.as('c')}, ${HELD.as('a')} FROM consumers c LEFT JOIN allocations a ON a.consumer_id = c.id ` +
        `WHERE c.uuid IN (${marks(part.length)})`,
      part,
      ({ id, uuid, generation, ...allocation }) => {
        const consumer = found.get(uuid) ?? { id, generation, before: [] };
        found.set(uuid, consumer);
        if (allocation.providerId !== null) consumer.before.push(allocation);
      },
    );
  }
  return found;
}

/** Locks the existing ones of the consumers in the order of uuids, without a comparison of generations. */
export async function holdPresentConsumers(
  tx: WriteTx,
  uuids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, HeldConsumer>> {
  const text = (among: string): string =>
    `SELECT uuid FROM consumers WHERE uuid IN (${among}) ORDER BY uuid${tx.dialect.forUpdate}`;
  const present = await queryAmong<{ uuid: Uuid }>(tx, [...new Set(uuids)].sort(), text, PER_STATEMENT);
  return readConsumers(
    tx,
    present.map(({ uuid }) => uuid),
  );
}

export function deleteConsumers(ids: readonly number[]): readonly Statement[] {
  return chunks(ids, CONSUMERS_PER_STATEMENT).map((part) => ({
    sql: `DELETE FROM consumers WHERE id IN (${marks(part.length)})`,
    params: part,
  }));
}
