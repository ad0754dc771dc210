// The change log: what each committed write changed of the provider graph, so that readers in any process can follow.
//
// Every database connection that writes is a lane and numbers its own transactions. A lane's commits are in order by
// construction, so a reader that keeps "lane -> last seen number" can miss nothing, whatever the order in which lanes
// commit. A lane's id is never used twice; a log row cannot exist without its lane (foreign key).
import { chunks } from './sql';
import type { Changes, SqlValue, Statement, WriteTx } from './sql';

/** A provider's tree must be read again. */
export const TREE_CHANGE = 1;
/** One inventory record's `used` is now this; apply only a higher version of the same record. */
export const USAGE_CHANGE = 2;

/** Below every database's bound of parameters, and of nested conditions. */
const ROWS_PER_STATEMENT = 400;

/** The numbering of one connection's transactions. */
export interface Lane {
  readonly id: number;
  lastSeq: number;
}

export class ChangeRecorder implements Changes {
  private readonly trees = new Set<number>();
  private readonly usages = new Map<string, readonly [number, number]>();

  tree(providerId: number): void {
    this.trees.add(providerId);
  }

  usage(providerId: number, resourceClassId: number): void {
    this.usages.set(`${providerId}/${resourceClassId}`, [providerId, resourceClassId]);
  }

  get isEmpty(): boolean {
    return this.trees.size === 0 && this.usages.size === 0;
  }

  /** The rows, to be written last before the commit. A usage row of a tree that is read again is left out. */
  statements(lane: Lane, nowSeconds: string): readonly Statement[] {
    lane.lastSeq += 1;
    const trees = chunks(
      [...this.trees].sort((a, b) => a - b),
      ROWS_PER_STATEMENT,
    ).map((rows): Statement => {
      const values = rows.map(() => `(?, ?, ${TREE_CHANGE}, ?, ?, NULL, NULL, ${nowSeconds})`).join(', ');
      const params = rows.flatMap((providerId): SqlValue[] => [lane.id, lane.lastSeq, providerId, providerId]);
      return { sql: `INSERT INTO change_log (${COLUMNS}) VALUES ${values}`, params };
    });
    const moved = [...this.usages.values()].filter(([providerId]) => !this.trees.has(providerId));
    const usages = chunks(moved, ROWS_PER_STATEMENT).map((rows): Statement => {
      const where = rows.map(() => '(resource_provider_id = ? AND resource_class_id = ?)').join(' OR ');
      return {
        sql:
          `INSERT INTO change_log (${COLUMNS}) SELECT ?, ?, ${USAGE_CHANGE}, id, resource_provider_id, used, version, ` +
          `${nowSeconds} FROM inventories WHERE ${where}`,
        params: [lane.id, lane.lastSeq, ...rows.flat()],
      };
    });
    return [...trees, ...usages];
  }
}

const COLUMNS = 'lane, seq, kind, ref_id, resource_provider_id, used, version, created_at';

/** Opens a new lane; committed by itself, before its first write. */
export async function openLane(
  tx: { insert: WriteTx['insert']; dialect: WriteTx['dialect'] },
  processName: string,
): Promise<Lane> {
  const now = tx.dialect.nowSeconds;
  const id = await tx.insert(`INSERT INTO writer_lanes (process, created_at, renewed_at) VALUES (?, ${now}, ${now})`, [
    processName,
  ]);
  return { id, lastSeq: 0 };
}

/** One row of the log as a reader gets it. */
export interface ChangeRow {
  readonly lane: number;
  readonly seq: number;
  readonly kind: number;
  readonly ref_id: number;
  readonly resource_provider_id: number;
  readonly used: number | null;
  readonly version: number | null;
}
