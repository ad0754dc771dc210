// Decisions in the database: written in batches, found by what they are about, removed oldest first.
import { SCHEDULER_LIMITS } from '../../config/limits';
import { DATABASE_LIMITS } from '../../config/limits';
import { chunks, marks, rowMarks } from '../../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../../database/sql';
import { InvalidInput } from '../../errors/domain-errors';
import type { Page, PageQuery } from '../registries/registry-page';
import { pageOf } from '../registries/registry-page.repository';
import type { Condition } from '../registries/registry-page.repository';

export interface DecisionSubject {
  readonly kind: 'instance' | 'host';
  readonly name: string;
}

/** What lists show of a decision. */
export interface DecisionRow {
  readonly requestId: string;
  readonly atMs: number;
  readonly outcome: string;
  readonly code: string | null;
  readonly projectId: string | null;
  readonly numInstances: number;
  /** For an operator. */
  readonly sentence: string;
  /** Of the compressed document. */
  readonly bytes: number;
}

export interface KeptDecision extends DecisionRow {
  /** Compressed JSON, as text. */
  readonly document: string;
  readonly subjects: readonly DecisionSubject[];
}

interface Row {
  readonly id: number;
  readonly request_id: string;
  readonly at: number;
  readonly outcome: string;
  readonly code: string | null;
  readonly project_id: string | null;
  readonly num_instances: number;
  readonly sentence: string;
  readonly bytes: number;
}

const COLUMNS = 'request_id, at, outcome, code, project_id, num_instances, sentence, bytes';

export async function insertDecisions(tx: WriteTx, decisions: readonly KeptDecision[]): Promise<void> {
  for (const decision of decisions) {
    const { requestId, atMs, outcome, code, projectId, numInstances, sentence, bytes, document } = decision;
    const id = await tx.insert(`INSERT INTO scheduler_decisions (${COLUMNS}, document) VALUES (${marks(9)})`, [
      requestId,
      atMs,
      outcome,
      code,
      projectId,
      numInstances,
      sentence,
      bytes,
      document,
    ]);
    for (const part of chunks(decision.subjects, DATABASE_LIMITS.rowsPerInsert)) {
      await tx.run(
        `INSERT INTO scheduler_decision_subjects (decision_id, kind, name) VALUES ${rowMarks(part.length, 3)}`,
        part.flatMap(({ kind, name }): SqlValue[] => [id, kind, name]),
      );
    }
  }
}

/** The document of the newest decision of this request; undefined when none is kept. */
export async function findDocument(sql: SqlReader, requestId: string): Promise<string | undefined> {
  const [row] = await sql.query<{ document: string }>(
    'SELECT document FROM scheduler_decisions WHERE request_id = ? ORDER BY id DESC LIMIT 1',
    [requestId],
  );
  return row?.document;
}

export interface DecisionFilter {
  readonly instance?: string | undefined;
  readonly host?: string | undefined;
  readonly outcome?: string | undefined;
  readonly code?: string | undefined;
  readonly projectId?: string | undefined;
  readonly sinceMs?: number | undefined;
}

/** Newest first. */
export async function listDecisions(
  sql: SqlReader,
  filter: DecisionFilter,
  { limit, marker }: PageQuery,
): Promise<Page<DecisionRow>> {
  const conditions: readonly Condition[] = [
    ...(marker === undefined ? [] : [['d.id < ?', [await idOfMarker(sql, marker)]] satisfies Condition]),
    ...aboutCondition('instance', filter.instance),
    ...aboutCondition('host', filter.host),
    ...columnCondition('d.outcome = ?', filter.outcome),
    ...columnCondition('d.code = ?', filter.code),
    ...columnCondition('d.project_id = ?', filter.projectId),
    ...columnCondition('d.at >= ?', filter.sinceMs),
  ];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(([text]) => text).join(' AND ')}`;
  const rows = await sql.query<Row>(
    `SELECT d.id, ${COLUMNS.split(', ')
      .map((column) => `d.${column}`)
      .join(', ')} FROM scheduler_decisions d${where} ORDER BY d.id DESC LIMIT ${limit + 1}`,
    conditions.flatMap(([, params]) => [...params]),
  );
  return pageOf(rows, limit, toDecision, (row) => row.request_id);
}

const columnCondition = (text: string, value: SqlValue | undefined): readonly Condition[] =>
  value === undefined ? [] : [[text, [value]]];

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
  if (row === undefined || row.id === null) throw new InvalidInput(`marker: '${marker}' names nothing here`);
  return row.id;
}

const toDecision = (row: Row): DecisionRow => ({
  requestId: row.request_id,
  atMs: Number(row.at),
  outcome: row.outcome,
  code: row.code,
  projectId: row.project_id,
  numInstances: Number(row.num_instances),
  sentence: row.sentence,
  bytes: Number(row.bytes),
});

/** True for one process per round: the first that asks after the last round is long enough ago. */
export async function takeTrimRound(tx: WriteTx, nowSeconds: number): Promise<boolean> {
  const matched = await tx.run("UPDATE registry_locks SET version = ? WHERE name = 'decisions' AND version <= ?", [
    nowSeconds,
    nowSeconds - SCHEDULER_LIMITS.decisionTrimSeconds,
  ]);
  return matched === 1;
}

export interface DecisionBounds {
  readonly maxCount: number;
  readonly maxBytes: number;
  /** Older ones go. */
  readonly sinceMs: number;
}

/** Removes the oldest decisions that are beyond a bound, a limited number of them; answers how many went. */
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
