// Decisions in the database: written in batches, found by their subjects, deleted oldest first.
import { namesOf } from '../../compute/instances/instances.writes';
import type { Page, PageQuery } from '../../compute/registry-page';
import { unknownMarker } from '../../compute/registry-page';
import type { Condition } from '../../compute/registry-page.sql';
import { cutAt, equal, pageOf, whereOf } from '../../compute/registry-page.sql';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { chunks, marks } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import type { DecisionRow, DecisionSubject, KeptDecision } from './decision.entity';
import { RecordedDecision, RecordedSubject } from './decision.entity';

const DECISIONS = new Table(RecordedDecision);
const SUBJECTS = new Table(RecordedSubject);
const RECORDED = DECISIONS.without('id');
const LISTED = DECISIONS.without('id', 'document');

export async function insertDecisions(tx: WriteTx, decisions: readonly KeptDecision[]): Promise<void> {
  for (const part of chunks(decisions, DECISIONS_PER_BATCH)) {
    const inserted = await tx.batch(part.map((decision) => RECORDED.insert([decision])));
    const subjects = inserted.flatMap(({ insertId: decisionId }, at) =>
      (part[at]?.subjects ?? []).map((subject) => ({ ...subject, decisionId })),
    );
    await SUBJECTS.all.insertAll(tx, subjects);
  }
}

/** Few, because a document can have more than a megabyte, and the database takes 16 in one round trip. */
const DECISIONS_PER_BATCH = 8;

interface StoredDocument {
  readonly id: number;
  readonly code: string | null;
  readonly document: string;
}

/** The newest decision of this request; undefined if none is stored. */
export async function findDocument(sql: SqlReader, requestId: string): Promise<StoredDocument | undefined> {
  const [row] = await sql.query<StoredDocument>(
    'SELECT id, code, document FROM scheduler_decisions WHERE request_id = ? ORDER BY id DESC LIMIT 1',
    [requestId],
  );
  return row;
}

/** A decision that was deleted in the meantime stays deleted. */
export async function replaceDocument(
  tx: WriteTx,
  id: number,
  { document, bytes }: Pick<KeptDecision, 'document' | 'bytes'>,
): Promise<void> {
  await tx.run('UPDATE scheduler_decisions SET document = ?, bytes = ? WHERE id = ?', [document, bytes, id]);
}

export interface DecisionFilter {
  readonly instance?: string | undefined;
  readonly host?: string | undefined;
  readonly outcome?: string | undefined;
  readonly code?: string | undefined;
  readonly projectId?: string | undefined;
  readonly sinceMs?: number | undefined;
}

const FIRST_INSTANCE =
  "(SELECT MIN(s.name) FROM scheduler_decision_subjects s WHERE s.decision_id = d.id AND s.kind = 'instance')";

/** Newest first. */
export async function listDecisions(
  sql: SqlReader,
  filter: DecisionFilter,
  { limit, marker }: PageQuery,
): Promise<Page<DecisionRow>> {
  const { where, params } = whereOf([
    ...(marker === undefined ? [] : [['d.id < ?', [await idOfMarker(sql, marker)]] satisfies Condition]),
    ...conditionsOf(filter),
  ]);
  const rows = await sql.query<{ readonly instance: string | null }>(
    `SELECT ${LISTED.of('d')}, ${FIRST_INSTANCE} AS instance FROM scheduler_decisions d${where} ORDER BY d.id DESC LIMIT ${limit + 1}`,
    params,
  );
  const names = await namesOf(
    sql,
    rows.flatMap(({ instance }) => instance ?? []),
  );
  const decisions = rows.map(({ instance, ...row }) => ({
    ...DECISIONS.read(row),
    instance,
    instanceName: names.get(instance ?? '') ?? null,
  }));
  return pageOf(cutAt(limit, decisions), ({ requestId }) => requestId);
}

export const conditionsOf = (filter: DecisionFilter): readonly Condition[] => [
  ...aboutCondition('instance', filter.instance),
  ...aboutCondition('host', filter.host),
  ...equal({ 'd.outcome': filter.outcome, 'd.code': filter.code, 'd.project_id': filter.projectId }),
  ...(filter.sinceMs === undefined ? [] : [['d.at >= ?', [filter.sinceMs]] satisfies Condition]),
];

/** The id of the first decision since then; undefined: there is none. */
async function firstSince(sql: SqlReader, sinceMs: number): Promise<number | undefined> {
  const [row] = await sql.query<{ id: number }>(
    'SELECT id FROM scheduler_decisions WHERE at >= ? ORDER BY at, id LIMIT 1',
    [sinceMs],
  );
  return row?.id;
}

/** The number of decisions with this outcome since then, counted with an index. */
export async function countOutcome(sql: SqlReader, outcome: string, sinceMs: number): Promise<number> {
  const first = await firstSince(sql, sinceMs);
  if (first === undefined) return 0;
  const [row] = await sql.query<{ count: number | string }>(
    'SELECT COUNT(*) AS count FROM scheduler_decisions WHERE outcome = ? AND id >= ?',
    [outcome, first],
  );
  return Number(row?.count ?? 0);
}

/** Ids of the newest decisions with this outcome since then, newest first. */
export async function idsOfOutcome(
  sql: SqlReader,
  outcome: string,
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
): Promise<readonly number[]> {
  const first = await firstSince(sql, sinceMs);
  if (first === undefined) return [];
  const rows = await sql.query<{ id: number }>(
    `SELECT id FROM scheduler_decisions WHERE outcome = ? AND id >= ? ORDER BY id DESC LIMIT ${limit}`,
    [outcome, first],
  );
  return rows.map(({ id }) => id);
}

/** The decisions that are still stored, with their documents. */
export async function decisionsByIds(sql: SqlReader, ids: readonly number[]): Promise<readonly RecordedDecision[]> {
  const rows = await sql.query<object>(
    `SELECT ${DECISIONS.all.of('d')} FROM scheduler_decisions d WHERE d.id IN (${marks(ids.length)})`,
    ids,
  );
  return rows.map((row) => DECISIONS.read(row));
}

const aboutCondition = (kind: DecisionSubject['kind'], name: string | undefined): readonly Condition[] =>
  name === undefined
    ? []
    : [
        [
          'd.id IN (SELECT s.decision_id FROM scheduler_decision_subjects s WHERE s.kind = ? AND s.name = ?)',
          [kind, name],
        ],
      ];

async function idOfMarker(sql: SqlReader, marker: string): Promise<number> {
  const [row] = await sql.query<{ id: number | null }>(
    'SELECT MIN(id) AS id FROM scheduler_decisions WHERE request_id = ?',
    [marker],
  );
  if (row === undefined || row.id === null) throw unknownMarker(marker);
  return row.id;
}

/** True for one process per round: the first call after the interval since the last round. */
export async function takeTrimRound(tx: WriteTx, nowSeconds: number): Promise<boolean> {
  const matched = await tx.run("UPDATE registry_locks SET version = ? WHERE name = 'decisions' AND version <= ?", [
    nowSeconds,
    nowSeconds - SCHEDULER_LIMITS.decisionTrimSeconds,
  ]);
  return matched === 1;
}

interface DecisionBounds {
  readonly maxCount: number;
  readonly maxBytes: number;
  /** Older decisions are deleted. */
  readonly sinceMs: number;
}

/** Deletes the oldest decisions that exceed a limit, a limited number per call; returns the number deleted. */
export async function trimDecisions(tx: WriteTx, { maxCount, maxBytes, sinceMs }: DecisionBounds): Promise<number> {
  const [kept] = await tx.query<{ count: number | string; bytes: number | string | null }>(
    'SELECT COUNT(*) AS count, SUM(bytes) AS bytes FROM scheduler_decisions',
  );
  let [count, bytes] = [Number(kept?.count ?? 0), Number(kept?.bytes ?? 0)];
  const oldest = await tx.query<{ id: number; at: number; bytes: number }>(
    `SELECT id, at, bytes FROM scheduler_decisions ORDER BY id LIMIT ${SCHEDULER_LIMITS.decisionsPerTrim}`,
  );
  const gone: number[] = [];
  for (const row of oldest) {
    if (Number(row.at) >= sinceMs && count <= maxCount && bytes <= maxBytes) break;
    gone.push(row.id);
    count -= 1;
    bytes -= Number(row.bytes);
  }
  if (gone.length === 0) return 0;
  const among = marks(gone.length);
  await tx.run(`DELETE FROM scheduler_decision_subjects WHERE decision_id IN (${among})`, gone);
  await tx.run(`DELETE FROM scheduler_decisions WHERE id IN (${among})`, gone);
  return gone.length;
}
