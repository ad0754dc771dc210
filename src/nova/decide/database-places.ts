// Reads the place of an instance from the databases of nova's cells. It is rare, so each question opens connections of
// its own.

import type { WarnLog } from '../../platform/logging/logger.token';
import type { NovaDatabases } from '../cells/nova-cells';
import { NovaCells } from '../cells/nova-cells';
import type { InstancePlace } from './instance-places';

/** States in which a move has ended. */
const ENDED_MOVES = ['confirmed', 'reverted', 'failed', 'completed', 'cancelled', 'done', 'error'];

const INSTANCE =
  'SELECT host, vm_state AS vmState, task_state AS taskState FROM instances WHERE uuid = ? AND deleted = 0';
const MOVES =
  'SELECT dest_compute AS target FROM migrations WHERE instance_uuid = ? AND deleted = 0 ' +
  `AND dest_compute IS NOT NULL AND status NOT IN (${ENDED_MOVES.map((state) => `'${state}'`).join(', ')})`;

interface PlacesInput extends NovaDatabases {
  readonly log: WarnLog;
}

export class DatabasePlaces {
  constructor(private readonly input: PlacesInput) {}

  /** Null: no cell has the instance. Undefined: a cell could not be read, so nothing is known. */
  async find(instanceUuid: string): Promise<InstancePlace | null | undefined> {
    const { log, ...databases } = this.input;
    const warn = (reason: string): undefined => {
      log.warn({ instance: instanceUuid, reason }, 'the record of an instance in nova could not be read');
    };
    try {
      const cells = await NovaCells.open(databases);
      try {
        const place = await placeIn(cells, instanceUuid);
        const [reason] = cells.failures.values();
        return place === null && reason !== undefined ? warn(reason) : place;
      } finally {
        cells.close();
      }
    } catch (error) {
      // The messages of these connections have no addresses.
      return warn(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Null: no cell has the instance, or one could not be read. */
async function placeIn(cells: NovaCells, instanceUuid: string): Promise<InstancePlace | null> {
  for (const cell of cells.readable) {
    const [row] = (await cells.rows<Omit<InstancePlace, 'moveTargets'>>(cell, INSTANCE, [instanceUuid])) ?? [];
    if (row === undefined) continue;
    const moves = await cells.rows<{ readonly target: string }>(cell, MOVES, [instanceUuid]);
    return moves === undefined ? null : { ...row, moveTargets: moves.map(({ target }) => target) };
  }
  return null;
}
