// The change log: the changes of each committed write to the provider graph and to the scheduler's registries. Readers
// in any process follow it.
//
// Every database connection that writes is a lane and numbers its own transactions. A lane's commits are in order by
// construction, so a reader that keeps "lane -> last number read" misses no change, in any order of commits
// of different lanes. Lane ids are never reused; a log row cannot exist without its lane (foreign key).
import { addTo } from '../values/lists-by-key';
import type { Changes, DocumentKind, SqlValue, Statement, WriteTx } from './sql';
import { anyOf, marks } from './sql';

/** The tree of a provider must be read again. */
export const TREE_CHANGE = 1;
/** The new `used` of one inventory record; readers apply it only if its version is higher. */
export const USAGE_CHANGE = 2;
/**
 * A change of a compute service: its row, reports of its hosts, or instances placed or released. If `used` is null, the
 * service must be read again. Otherwise only its last report moved to this time in milliseconds; readers apply the
 * latest.
 */
export const SERVICE_CHANGE = 3;
/** A host aggregate must be read again: name, metadata and hosts. */
export const HOST_AGGREGATE_CHANGE = 4;
/**
 * A change of a document that no process caches, for clients of the change stream. Names the kind, not the document.
 */
export const DOCUMENT_CHANGE = 5;

/** Document kinds by their number in log rows; numbers are never reused. */
export const DOCUMENT_KINDS: ReadonlyMap<number, DocumentKind> = new Map([
  [1, 'flavor'],
  [2, 'image'],
  [3, 'server group'],
]);
const DOCUMENT_NUMBERS = new Map([...DOCUMENT_KINDS].map(([number, kind]) => [kind, number]));

/** Below both databases' limits on parameters and nested conditions. */
const ROWS_PER_STATEMENT = 400;

/** The transaction numbering of one connection. */
export interface Lane {
  readonly id: number;
  lastSeq: number;
}

export class ChangeRecorder implements Changes {
  private readonly trees = new Set<number>();
  private readonly usages = new Map<string, readonly [number, number]>();
  private readonly services = new Map<number, number | null>();
  private readonly hostAggregates = new Set<number>();
  private readonly documents = new Set<DocumentKind>();

  tree(providerId: number): void {
    this.trees.add(providerId);
  }

  service(serviceId: number): void {
    this.services.set(serviceId, null);
  }

  serviceSeen(serviceId: number, atMs: number): void {
    const known = this.services.get(serviceId);
    if (known !== null) this.services.set(serviceId, Math.max(known ?? 0, atMs));
  }

  hostAggregate(aggregateId: number): void {
    this.hostAggregates.add(aggregateId);
  }

  document(kind: DocumentKind): void {
    this.documents.add(kind);
  }

  usage(providerId: number, resourceClassId: number): void {
    this.usages.set(`${providerId}/${resourceClassId}`, [providerId, resourceClassId]);
  }

  get isEmpty(): boolean {
    const { trees, usages, services, hostAggregates, documents } = this;
    return [trees, usages, services, hostAggregates, documents].every((changed) => changed.size === 0);
  }

  /**
   * The log rows, written last before the commit; each statement is generated on demand. Usage rows of a tree that must
   * be read again are left out.
   */
  *statements(lane: Lane, nowSeconds: string): Iterable<Statement> {
    lane.lastSeq += 1;
    for (const rows of parts([...this.trees].sort((a, b) => a - b))) {
      const values = rows.map(() => `(?, ?, ${TREE_CHANGE}, ?, ?, NULL, NULL, ${nowSeconds})`).join(', ');
      const params = rows.flatMap((providerId): SqlValue[] => [lane.id, lane.lastSeq, providerId, providerId]);
      yield { sql: `INSERT INTO change_log (${COLUMNS}) VALUES ${values}`, params };
    }
    for (const rows of parts(this.moved())) {
      const { sql: where, params: records } = recordsAmong(rows);
      yield {
        sql:
          `INSERT INTO change_log (${COLUMNS}) SELECT ?, ?, ${USAGE_CHANGE}, id, resource_provider_id, used, version, ` +
          `${nowSeconds} FROM inventories WHERE ${where}`,
        params: [lane.id, lane.lastSeq, ...records],
      };
    }
    yield* this.registryStatements(lane, nowSeconds);
  }

  private *moved(): Iterable<readonly [providerId: number, classId: number]> {
    for (const record of this.usages.values()) if (!this.trees.has(record[0])) yield record;
  }

  /** Changes of the scheduler's registries have no provider. */
  private registryStatements(lane: Lane, nowSeconds: string): readonly Statement[] {
    const rows: readonly (readonly [kind: number, id: number, seenAtMs: number | null])[] = [
      ...[...this.services].map(([id, seenAtMs]) => [SERVICE_CHANGE, id, seenAtMs] as const),
      ...[...this.hostAggregates].map((id) => [HOST_AGGREGATE_CHANGE, id, null] as const),
      ...[...this.documents].map((kind) => [DOCUMENT_CHANGE, DOCUMENT_NUMBERS.get(kind) ?? 0, null] as const),
    ];
    return Array.from(parts(rows), (part) => ({
      sql:
        `INSERT INTO change_log (${COLUMNS}) VALUES ` +
        part.map(() => `(?, ?, ?, ?, 0, ?, NULL, ${nowSeconds})`).join(', '),
      params: part.flatMap(([kind, id, seenAtMs]): SqlValue[] => [lane.id, lane.lastSeq, kind, id, seenAtMs]),
    }));
  }
}

function* parts<T>(rows: Iterable<T>): Iterable<readonly T[]> {
  let part: T[] = [];
  for (const row of rows) {
    if (part.push(row) < ROWS_PER_STATEMENT) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/**
 * Selects records by provider and groups providers with equal classes, so the statement grows with the kinds of hosts.
 */
function recordsAmong(records: readonly (readonly [providerId: number, classId: number])[]): Statement {
  const classesOf = new Map<number, number[]>();
  for (const [providerId, classId] of records) {
    addTo(classesOf, providerId, classId);
  }
  const providersOf = new Map<string, [classes: readonly number[], providers: number[]]>();
  for (const [providerId, classes] of classesOf) {
    const key = classes.sort((a, b) => a - b).join(' ');
    const known = providersOf.get(key);
    if (known === undefined) providersOf.set(key, [classes, [providerId]]);
    else known[1].push(providerId);
  }
  const parts = [...providersOf.values()];
  return {
    sql: anyOf(
      parts.map(
        ([classes, providers]) =>
          `(resource_provider_id IN (${marks(providers.length)}) AND resource_class_id IN (${marks(classes.length)}))`,
      ),
    ),
    params: parts.flatMap(([classes, providers]) => [...providers, ...classes]),
  };
}

const COLUMNS = 'lane, seq, kind, ref_id, resource_provider_id, used, version, created_at';

/** Opens a new lane; committed separately, before the lane's first write. */
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

/** One row of the log as readers get it. */
export interface ChangeRow {
  readonly lane: number;
  readonly seq: number;
  readonly kind: number;
  readonly ref_id: number;
  readonly resource_provider_id: number;
  readonly used: number | null;
  readonly version: number | null;
}
