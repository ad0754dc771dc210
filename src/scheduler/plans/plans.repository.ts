// Plans in the database, deleted oldest first.
import type { Page, PageQuery } from '../../compute/registry-page';
import { unknownMarker } from '../../compute/registry-page';
import { cutAt, pageOf } from '../../compute/registry-page.sql';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import type { ListedPlan } from './plan.entity';
import { StoredPlan } from './plan.entity';

const PLANS = new Table(StoredPlan);
const WRITTEN = PLANS.without('id');
const LISTED = PLANS.without('id', 'document', 'outcomes', 'reports');
const REPORTED = PLANS.only('progress', 'outcomes');

/** Deletes plans that are too old or too many. */
export async function insertPlan(tx: WriteTx, plan: Omit<StoredPlan, 'id'>): Promise<void> {
  const { sql, params } = WRITTEN.insert([plan]);
  await tx.run(sql, params);
  const { planAgeSeconds, plansKept } = SCHEDULER_LIMITS;
  await tx.run('DELETE FROM scheduler_plans WHERE created_at < ?', [plan.createdAtMs - planAgeSeconds * 1_000]);
  const [last] = await tx.query<{ id: number }>(
    `SELECT id FROM scheduler_plans ORDER BY id DESC LIMIT 1 OFFSET ${plansKept}`,
  );
  if (last !== undefined) await tx.run('DELETE FROM scheduler_plans WHERE id <= ?', [last.id]);
}

export async function findPlan(sql: SqlReader, uuid: Uuid): Promise<StoredPlan | undefined> {
  const [row] = await sql.query<object>(`SELECT ${PLANS.all.of('p')} FROM scheduler_plans p WHERE p.uuid = ?`, [uuid]);
  return row && PLANS.read(row);
}

/** Newest first. */
export async function listPlans(sql: SqlReader, { limit, marker }: PageQuery): Promise<Page<ListedPlan>> {
  const before = marker === undefined ? '' : ` WHERE p.id < ${await idOf(sql, marker)}`;
  const rows = await sql.query<object>(
    `SELECT ${LISTED.of('p')} FROM scheduler_plans p${before} ORDER BY p.id DESC LIMIT ${limit + 1}`,
  );
  return pageOf(
    cutAt(
      limit,
      rows.map((row) => LISTED.read(row)),
    ),
    ({ uuid }) => uuid,
  );
}

async function idOf(sql: SqlReader, marker: string): Promise<number> {
  const uuid = canonicalUuid(marker);
  const rows =
    uuid === undefined ? [] : await sql.query<{ id: number }>('SELECT id FROM scheduler_plans WHERE uuid = ?', [uuid]);
  if (rows[0] === undefined) throw unknownMarker(marker);
  return rows[0].id;
}

export const removePlan = async (tx: WriteTx, uuid: Uuid): Promise<boolean> =>
  (await tx.run('DELETE FROM scheduler_plans WHERE uuid = ?', [uuid])) === 1;

/** Locks the row until the end of the transaction. False: there is none. */
export const lockPlan = async (tx: WriteTx, uuid: Uuid): Promise<boolean> =>
  (await tx.run('UPDATE scheduler_plans SET reports = reports + 1 WHERE uuid = ?', [uuid])) === 1;

export async function updateOutcomes(
  tx: WriteTx,
  uuid: Uuid,
  change: Pick<StoredPlan, 'progress' | 'outcomes'>,
): Promise<void> {
  await tx.run(`UPDATE scheduler_plans SET ${REPORTED.assigned} WHERE uuid = ?`, [...REPORTED.valuesOf(change), uuid]);
}
