// Reads the new entries of the change log: those after the last number read of every lane, with one statement for any
// number of lanes. No entry is missed: each lane commits its numbers in order, and an unknown lane starts at 0.
import type { ChangeRow } from '../../platform/database/change-log';
import {
  DOCUMENT_CHANGE,
  DOCUMENT_KINDS,
  HOST_AGGREGATE_CHANGE,
  SERVICE_CHANGE,
  TREE_CHANGE,
  USAGE_CHANGE,
} from '../../platform/database/change-log';
import type { DocumentKind, SqlReader } from '../../platform/database/sql';
import { anyOf, queryAmong } from '../../platform/database/sql';

/** The last number read of each lane, by lane. */
export type LaneVector = ReadonlyMap<number, number>;

interface UsageRow {
  readonly inventoryId: number;
  readonly providerId: number;
  readonly used: number;
  readonly version: number;
}

export interface NewChanges {
  readonly vector: LaneVector;
  readonly usages: readonly UsageRow[];
  /** Providers whose trees must be read again. */
  readonly touched: ReadonlySet<number>;
  /** Compute services by id. Null: read the service again. A time in milliseconds: only its last report changed. */
  readonly services: ReadonlyMap<number, number | null>;
  /** Ids of host aggregates that must be read again. */
  readonly hostAggregates: ReadonlySet<number>;
  /** Kinds of which at least one document changed. */
  readonly documents: ReadonlySet<DocumentKind>;
  /** Time of this read, by the database's clock. */
  readonly readAtSeconds: number;
  /** The log has more new rows than the maximum of one read. */
  readonly isTooMuch: boolean;
}

/** Kind of the first row of every result: the database's time, even without new entries. */
const CLOCK_ROW = 0;

export async function readNewChanges(sql: SqlReader, knownVector: LaneVector, rowsMax: number): Promise<NewChanges> {
  const [where, params] = newerThan(knownVector);
  const vector = new Map(knownVector);
  const usages: UsageRow[] = [];
  const touched = new Set<number>();
  const services = new Map<number, number | null>();
  const hostAggregates = new Set<number>();
  const documents = new Set<DocumentKind>();
  let [readAtSeconds, rows] = [0, 0];
  const take = (row: ChangeRow): void => {
    if (row.kind === CLOCK_ROW) {
      readAtSeconds = Number(row.seq);
      return;
    }
    rows += 1;
    if (row.seq > (vector.get(row.lane) ?? 0)) vector.set(row.lane, row.seq);
    if (row.kind === TREE_CHANGE) touched.add(row.resource_provider_id);
    else if (row.kind === USAGE_CHANGE) {
      const { ref_id: inventoryId, resource_provider_id: providerId } = row;
      usages.push({ inventoryId, providerId, used: row.used ?? 0, version: row.version ?? 0 });
    } else if (row.kind === SERVICE_CHANGE) {
      const known = services.get(row.ref_id);
      services.set(row.ref_id, known === null || row.used === null ? null : Math.max(known ?? 0, row.used));
    } else if (row.kind === HOST_AGGREGATE_CHANGE) hostAggregates.add(row.ref_id);
    else if (row.kind === DOCUMENT_CHANGE) {
      const kind = DOCUMENT_KINDS.get(row.ref_id);
      if (kind !== undefined) documents.add(kind);
    }
  };
  await sql.each<ChangeRow>(
    `SELECT 0 AS lane, ${sql.dialect.nowSeconds} AS seq, ${CLOCK_ROW} AS kind, 0 AS ref_id, ` +
      '0 AS resource_provider_id, NULL AS used, NULL AS version UNION ALL ' +
      'SELECT lane, seq, kind, ref_id, resource_provider_id, used, version FROM (SELECT lane, seq, kind, ref_id, ' +
      `resource_provider_id, used, version FROM change_log WHERE ${where} LIMIT ${rowsMax + 1}) AS changes`,
    params,
    take,
  );
  return { vector, usages, touched, services, hostAggregates, documents, readAtSeconds, isTooMuch: rows > rowsMax };
}

/**
 * Rows after the vector, as ranges of the primary key (lane, seq): one range after each lane's last number, and one
 * between each two neighbouring lanes for lanes that were not read before.
 */
function newerThan(vector: LaneVector): readonly [where: string, params: readonly number[]] {
  const lanes = [...vector.keys()].sort((a, b) => a - b);
  const ranges: string[] = [];
  const params: number[] = [];
  let before = 0;
  for (const lane of lanes) {
    if (lane > before + 1) {
      ranges.push('(lane > ? AND lane < ?)');
      params.push(before, lane);
    }
    ranges.push('(lane = ? AND seq > ?)');
    params.push(lane, vector.get(lane) ?? 0);
    before = lane;
  }
  ranges.push('lane > ?');
  params.push(before);
  return [anyOf(ranges), params];
}

/**
 * The last number of every lane, and the database's time. Read it before a whole load: later changes then come after it.
 * Each number is read from the end of its range of the primary key; with GROUP BY, SQLite would scan the whole log.
 */
export async function readVector(sql: SqlReader): Promise<{ vector: LaneVector; readAtSeconds: number }> {
  const rows = await sql.query<{ lane: number; seq: number | null }>(
    `SELECT 0 AS lane, ${sql.dialect.nowSeconds} AS seq UNION ALL ` +
      'SELECT l.id AS lane, (SELECT MAX(c.seq) FROM change_log c WHERE c.lane = l.id) AS seq FROM writer_lanes l',
  );
  const vector = new Map<number, number>();
  let readAtSeconds = 0;
  for (const { lane, seq } of rows) {
    if (lane === 0) readAtSeconds = Number(seq);
    else if (seq !== null) vector.set(lane, seq);
  }
  return { vector, readAtSeconds };
}

const LANES_PER_STATEMENT = 500;

/** The lanes that still exist. Ids are never reused, so the caller can forget the others. */
export async function existingLanes(sql: SqlReader, lanes: readonly number[]): Promise<ReadonlySet<number>> {
  const text = (among: string): string => `SELECT id FROM writer_lanes WHERE id IN (${among})`;
  const rows = await queryAmong<{ id: number }>(sql, lanes, text, { size: LANES_PER_STATEMENT });
  return new Set(rows.map(({ id }) => id));
}

/** Number of changes after the vector. */
export async function countUnread(sql: SqlReader, vector: LaneVector): Promise<number> {
  const last = await readVector(sql);
  let changes = 0;
  for (const [lane, seq] of last.vector) changes += Math.max(0, seq - (vector.get(lane) ?? 0));
  return changes;
}
