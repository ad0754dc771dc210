// Plans in the database, deleted oldest first.
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import type { ListedPlan } from './plan.entity';
import { StoredPlan } from './plan.entity';

const PLANS = new Table(StoredPlan);
const WRITTEN = PLANS.without('id');
const LISTED = PLANS.without('id', 'document', 'outcomes');
const REPORTED = PLANS.only('head', 'outcomes');

/** Deletes plans that are too old or too many. */
export async function insertPlan(tx: WriteTx, plan: Omit<StoredPlan, 'id'>): Promise<void> {
  const { sql, params } = WRITTEN.insert([plan]);
  await tx.run(sql, params);
  const { planAgeSeconds, plansKept } = SCHEDULER_LIMITS;
  await tx.run('DELETE FROM scheduler_plans WHERE created_at < ?', [plan.createdAtMs - planAgeSeconds * 1_000]);
  const last = `SELECT id FROM scheduler_plans ORDER BY id DESC LIMIT 1 OFFSET ${plansKept}`;
  const [row] = await tx.query<{ id: number }>(last);
  if (row !== undefined) await tx.run('DELETE FROM scheduler_plans WHERE id <= ?', [row.id]);
}

/** `lock`: the end of the statement. */
export async function findPlan(sql: SqlReader, uuid: Uuid, lock = ''): Promise<StoredPlan | undefined> {
  const statement = `SELECT ${PLANS.all.of('p')} FROM scheduler_plans p WHERE p.uuid = ?${lock}`;
  const [row] = await sql.query<object>(statement, [uuid]);
  return row && PLANS.read(row);
}

/** All of them, newest first. */
export async function allPlans(sql: SqlReader): Promise<readonly ListedPlan[]> {
  const rows = await sql.query<object>(`SELECT ${LISTED.of('p')} FROM scheduler_plans p ORDER BY p.id DESC`);
  return rows.map((row) => LISTED.read(row));
}

export const removePlan = async (tx: WriteTx, uuid: Uuid): Promise<boolean> =>
  (await tx.run('DELETE FROM scheduler_plans WHERE uuid = ?', [uuid])) === 1;

export async function updateOutcomes(tx: WriteTx, plan: StoredPlan): Promise<void> {
  await tx.run(`UPDATE scheduler_plans SET ${REPORTED.assigned} WHERE id = ?`, [...REPORTED.valuesOf(plan), plan.id]);
}
