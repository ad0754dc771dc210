// What is read from nova's API database: cells, the cell of each host, and host aggregates.
import { isDeepStrictEqual } from 'node:util';
import type { Snapshot } from '../../platform/database/foreign-mysql';
import { compareText } from '../../platform/values/text-order';
import type { HostAggregateFacts } from '../../scheduling-rules/host-state/host-facts';
import { readFrom } from './stamps';

export interface CellMapping {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  /** A SQLAlchemy address or a template for one. Contains a password. */
  readonly databaseConnection: string | null;
}

const AGGREGATE_TABLES = ['aggregates', 'aggregate_hosts', 'aggregate_metadata'] as const;
const TABLES = ['cell_mappings', 'host_mappings', ...AGGREGATE_TABLES] as const;

type ApiTable = (typeof TABLES)[number];
type Mark = Readonly<Record<ApiTable | 'now', string>>;

const markOf = (table: ApiTable): string =>
  "(SELECT CONCAT(COUNT(*), '/', IFNULL(SUM(id), 0), '/', IFNULL(MAX(id), 0), '/', IFNULL(MAX(updated_at), '')) " +
  `FROM ${table}) AS ${table}`;
const MARKS_QUERY = `SELECT UTC_TIMESTAMP() AS now, ${TABLES.map(markOf).join(', ')}`;

/** cell0 holds instances that no host took. */
const CELL_ZERO = '00000000-0000-0000-0000-000000000000';
const CELLS_QUERY =
  'SELECT id, uuid, name, database_connection FROM cell_mappings ' +
  `WHERE uuid <> '${CELL_ZERO}' AND IFNULL(disabled, 0) = 0 ORDER BY id`;

/** The changes that one read found. */
export interface ApiChanges {
  readonly areCellsChanged: boolean;
  readonly hosts: ReadonlySet<string>;
  readonly aggregateIds: readonly number[];
}

export class ApiTables {
  cells: readonly CellMapping[] = [];
  /** Id of the cell mapping, by host. */
  cellOfHost: ReadonlyMap<string, number> = new Map();
  aggregates: ReadonlyMap<number, HostAggregateFacts> = new Map();
  private marks: Mark | undefined;

  /**
   * Reads the tables whose count, sums or newest stamp changed, or all. A stamp has whole seconds, so a table with a
   * recent stamp is read again.
   */
  async read(snapshot: Snapshot, overlapMs: number, isWhole: boolean): Promise<ApiChanges> {
    const [marks] = await snapshot.rows<Mark>(MARKS_QUERY);
    if (marks === undefined) return { areCellsChanged: false, hosts: new Set(), aggregateIds: [] };
    const recent = readFrom(marks.now, marks.now, overlapMs);
    const isDue = (table: ApiTable): boolean =>
      isWhole ||
      this.marks?.[table] !== marks[table] ||
      marks[table].slice(marks[table].lastIndexOf('/') + 1) >= recent;
    const areCellsChanged = isDue('cell_mappings') && (await this.readCells(snapshot));
    const hosts = isDue('host_mappings') ? await this.readHosts(snapshot) : new Set<string>();
    const aggregateIds = AGGREGATE_TABLES.some(isDue) ? await this.readAggregates(snapshot) : [];
    this.marks = marks;
    return { areCellsChanged, hosts, aggregateIds };
  }

  private async readCells(snapshot: Snapshot): Promise<boolean> {
    interface Row {
      readonly id: number;
      readonly uuid: string;
      readonly name: string | null;
      readonly database_connection: string | null;
    }
    const rows = await snapshot.rows<Row>(CELLS_QUERY);
    const before = JSON.stringify(this.cells);
    this.cells = rows.map(({ id, uuid, name, database_connection: databaseConnection }) => ({
      id,
      uuid,
      name: name ?? '',
      databaseConnection,
    }));
    return JSON.stringify(this.cells) !== before;
  }

  private async readHosts(snapshot: Snapshot): Promise<ReadonlySet<string>> {
    const rows = await snapshot.rows<{ readonly host: string; readonly cell_id: number }>(
      'SELECT host, cell_id FROM host_mappings',
    );
    const next = new Map(rows.map(({ host, cell_id: cell }) => [host, cell]));
    const changed = new Set<string>();
    for (const [host, cell] of next) if (this.cellOfHost.get(host) !== cell) changed.add(host);
    for (const host of this.cellOfHost.keys()) if (!next.has(host)) changed.add(host);
    this.cellOfHost = next;
    return changed;
  }

  /** The rows carry no mark of a change of membership, so the result is compared with what is known. */
  private async readAggregates(snapshot: Snapshot): Promise<readonly number[]> {
    interface Aggregate {
      readonly id: number;
      readonly uuid: string | null;
      readonly name: string | null;
    }
    const rows = await snapshot.rows<Aggregate>('SELECT id, uuid, name FROM aggregates ORDER BY id');
    const hosts = await snapshot.rows<{ readonly aggregate_id: number; readonly host: string }>(
      'SELECT aggregate_id, host FROM aggregate_hosts WHERE host IS NOT NULL',
    );
    const metadata = await snapshot.rows<{
      readonly aggregate_id: number;
      readonly key: string;
      readonly value: string;
    }>('SELECT aggregate_id, `key`, value FROM aggregate_metadata');
    const found = new Map<number, { readonly hosts: string[]; readonly metadata: Record<string, string> }>();
    for (const { id } of rows) found.set(id, { hosts: [], metadata: Object.create(null) as Record<string, string> });
    for (const { aggregate_id: id, host } of hosts) found.get(id)?.hosts.push(host);
    for (const { aggregate_id: id, key, value } of metadata) {
      const aggregate = found.get(id);
      if (aggregate !== undefined) aggregate.metadata[key] = value;
    }
    const next = new Map<number, HostAggregateFacts>();
    const changed: number[] = [];
    for (const { id, uuid, name } of rows) {
      const parts = found.get(id) ?? { hosts: [], metadata: {} };
      const hosts = parts.hosts.sort(compareText);
      const aggregate: HostAggregateFacts = { id, uuid: uuid ?? '', name: name ?? '', metadata: parts.metadata, hosts };
      const known = this.aggregates.get(id);
      const isUnchanged = known !== undefined && isDeepStrictEqual(known, aggregate);
      next.set(id, isUnchanged ? known : aggregate);
      if (!isUnchanged) changed.push(id);
    }
    for (const id of this.aggregates.keys()) if (!next.has(id)) changed.push(id);
    this.aggregates = next;
    return changed;
  }
}
