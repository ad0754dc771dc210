// Connections to nova's API database and to all its cells, without polls. A cell that fails once stays unreadable, so a
// cell is never judged by a part of its rows. Disabled cells still have instances, so they are read as well.
import type { ForeignMysql, Snapshot } from '../../platform/database/foreign-mysql';
import { DatabaseUnreadable } from '../../platform/database/foreign-mysql';
import { cellDatabaseOf } from '../conf/cell-url';
import type { NovaDatabase } from '../conf/database-url';
import { NOVA_LIMITS } from './limits';
import { openNova } from './nova-connection';

const CELLS = 'SELECT id, uuid, name, database_connection AS url FROM cell_mappings ORDER BY id';
/** It holds instances that no host took. They never have a host, so its database is not read. */
const CELL_ZERO = '00000000-0000-0000-0000-000000000000';

const MAPPINGS = 'SELECT instance_uuid AS uuid, cell_id AS cell FROM instance_mappings WHERE instance_uuid IN (?)';

interface CellRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string | null;
  readonly url: string | null;
}

export interface AuditedCell {
  readonly id: number;
  readonly name: string;
}

export interface NovaDatabases {
  readonly apiDatabase: NovaDatabase;
  /** `[database] connection`, which fills the templates of cells; null if it is not set. */
  readonly templateBase: string | null;
}

export class NovaCells {
  /** Reasons by cell id. */
  readonly failures = new Map<number, string>();

  private constructor(
    readonly api: ForeignMysql,
    /** Without cell0. */
    readonly cells: readonly AuditedCell[],
    /** Id of cell0; null if it is not mapped. */
    readonly cellZero: number | null,
    private readonly connections: Map<number, ForeignMysql>,
  ) {}

  /** Throws DatabaseUnreadable if the API database cannot be read. */
  static async open({ apiDatabase, templateBase }: NovaDatabases): Promise<NovaCells> {
    const api = await openNova(apiDatabase);
    try {
      const rows = await api.rows<CellRow>(CELLS);
      const cells = rows.filter(({ uuid }) => uuid !== CELL_ZERO);
      const named = cells.map(({ id, uuid, name }) => ({ id, name: name || uuid }));
      const cellZero = rows.find(({ uuid }) => uuid === CELL_ZERO)?.id ?? null;
      const opened = new NovaCells(api, named, cellZero, new Map());
      for (const { id, url } of cells) await opened.connect(id, url, templateBase);
      return opened;
    } catch (error) {
      api.close();
      throw error;
    }
  }

  get readable(): readonly AuditedCell[] {
    return this.cells.filter(({ id }) => !this.failures.has(id));
  }

  nameOf(id: number): string {
    return this.cells.find((cell) => cell.id === id)?.name ?? String(id);
  }

  /** The ids of the cells of mapped instances; null: no cell yet. */
  async cellsOf(uuids: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
    const rows = await this.api.rows<{ readonly uuid: string; readonly cell: number | null }>(MAPPINGS, [uuids]);
    return new Map(rows.map(({ uuid, cell }) => [uuid, cell]));
  }

  /** Rows of one cell; undefined if it could not be read, now or before. */
  async rows<R>(
    { id }: AuditedCell,
    sql: string,
    params: Parameters<Snapshot['rows']>[1],
  ): Promise<readonly R[] | undefined> {
    const connection = this.connections.get(id);
    if (connection === undefined || this.failures.has(id)) return undefined;
    try {
      return await connection.rows<R>(sql, params, NOVA_LIMITS.pageTimeoutMs);
    } catch (error) {
      if (!(error instanceof DatabaseUnreadable)) throw error;
      this.failures.set(id, error.message);
      return undefined;
    }
  }

  close(): void {
    this.api.close();
    for (const connection of this.connections.values()) connection.close();
  }

  private async connect(id: number, url: string | null, templateBase: string | null): Promise<void> {
    try {
      const database = cellDatabaseOf(url, templateBase);
      if ('problem' in database) throw new DatabaseUnreadable(database.problem);
      this.connections.set(id, await openNova(database));
    } catch (error) {
      if (!(error instanceof DatabaseUnreadable)) throw error;
      this.failures.set(id, error.message);
    }
  }
}
