// Reads the place of an instance from the databases of nova's cells. It is rare, so each question opens connections of
// its own.

import type { ForeignMysql } from '../../platform/database/foreign-mysql';
import type { WarnLog } from '../../platform/logging/logger.token';
import { openNova } from '../cells/nova-connection';
import { fillCellUrl } from '../conf/cell-url';
import type { NovaDatabase } from '../conf/database-url';
import { novaDatabaseOf } from '../conf/database-url';
import type { InstancePlace, InstancePlaces } from './instance-places';

/** States in which a move has ended. */
const ENDED_MOVES = ['confirmed', 'reverted', 'failed', 'completed', 'cancelled', 'done', 'error'];

/** cell0 has the instances that no host took, so it is not asked. A disabled cell can still have the instance. */
const CELLS =
  'SELECT database_connection AS url FROM cell_mappings ' +
  "WHERE uuid <> '00000000-0000-0000-0000-000000000000' ORDER BY id";
const INSTANCE =
  'SELECT host, vm_state AS vmState, task_state AS taskState FROM instances WHERE uuid = ? AND deleted = 0';
const MOVES =
  'SELECT dest_compute AS target FROM migrations WHERE instance_uuid = ? AND deleted = 0 ' +
  `AND dest_compute IS NOT NULL AND status NOT IN (${ENDED_MOVES.map((state) => `'${state}'`).join(', ')})`;

interface PlacesInput {
  readonly apiDatabase: NovaDatabase;
  /** `[database] connection`, which fills the templates of cells; null if it is not set. */
  readonly templateBase: string | null;
  readonly log: WarnLog;
}

export class DatabasePlaces implements InstancePlaces {
  constructor(private readonly input: PlacesInput) {}

  async find(instanceUuid: string): Promise<InstancePlace | null | undefined> {
    const { apiDatabase, log } = this.input;
    try {
      const cells = await withConnection(apiDatabase, (api) => api.rows<{ readonly url: string | null }>(CELLS));
      for (const { url } of cells) {
        const place = await withConnection(this.databaseOf(url), (cell) => placeIn(cell, instanceUuid));
        if (place !== null) return place;
      }
      return null;
    } catch (error) {
      // The messages of these connections have no addresses.
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ instance: instanceUuid, reason }, 'the record of an instance in nova could not be read');
      return undefined;
    }
  }

  private databaseOf(stored: string | null): NovaDatabase {
    const { url } = fillCellUrl(stored ?? '', this.input.templateBase, '[database] connection');
    const parsed = novaDatabaseOf(url);
    if (!parsed.ok) throw new Error(`The database address of a cell ${parsed.problem}.`);
    return parsed.database;
  }
}

async function placeIn(cell: ForeignMysql, instanceUuid: string): Promise<InstancePlace | null> {
  const [row] = await cell.rows<Omit<InstancePlace, 'moveTargets'>>(INSTANCE, [instanceUuid]);
  if (row === undefined) return null;
  const moves = await cell.rows<{ readonly target: string }>(MOVES, [instanceUuid]);
  return { ...row, moveTargets: moves.map(({ target }) => target) };
}

async function withConnection<T>(database: NovaDatabase, read: (connection: ForeignMysql) => Promise<T>): Promise<T> {
  const connection = await openNova(database);
  try {
    return await read(connection);
  } finally {
    connection.close();
  }
}
