// Requests that nova has stored, with the host that nova chose. The stored request spec has the whole request; the
// instance has the host.
import { DatabaseUnreadable } from '../../platform/database/foreign-mysql';
import type { NovaCells } from '../cells/nova-cells';
import { requestSpecOf } from '../objects/request-spec';
import type { NovaRequestSpec } from '../objects/request-spec';
import { NovaObjectError, readObject } from '../objects/versioned-object';
import { SHADOW_LIMITS } from './limits';

const NEWEST = 'SELECT IFNULL(MAX(id), 0) AS id FROM request_specs';
const BEFORE = 'SELECT IFNULL(MAX(id), 0) AS id FROM request_specs WHERE created_at < ?';
const AFTER =
  'SELECT id, created_at AS storedAt, instance_uuid AS uuid, spec FROM request_specs WHERE id > ? ORDER BY id LIMIT ?';
const PLACES =
  'SELECT i.id, i.created_at AS createdAt, i.uuid, i.host, i.node, i.launched_on AS launchedOn, ' +
  '(SELECT COUNT(*) FROM migrations m WHERE m.instance_uuid = i.uuid) AS moves FROM instances i ' +
  'WHERE i.deleted = 0 AND i.uuid IN (?)';
/** nova creates the row of an instance just after its scheduler has chosen the host. */
const LATER =
  'SELECT uuid, memory_mb AS memoryMb, vcpus, root_gb AS rootGb, ephemeral_gb AS ephemeralGb FROM instances ' +
  'WHERE deleted = 0 AND created_at >= ? AND (created_at > ? OR id > ?) ORDER BY created_at DESC, id DESC LIMIT ?';
const CHANGED =
  'SELECT COUNT(*) AS changed FROM instances WHERE host IN (?) AND uuid NOT IN (?) ' +
  'AND (updated_at >= ? OR deleted_at >= ? OR (deleted = 0 AND task_state IS NOT NULL))';
const MEMBERS =
  'SELECT m.instance_uuid AS uuid FROM instance_groups g JOIN instance_group_member m ON m.group_id = g.id ' +
  'WHERE g.uuid = ? LIMIT ?';

export interface NewRequest {
  readonly uuid: string;
  /** Null: it cannot be read; `problem` says why. */
  readonly spec: NovaRequestSpec | null;
  readonly problem: string | null;
  /** When nova-api stored the request, in the form of nova's columns. */
  readonly storedAt: string;
}

/** The row of an instance. */
interface Row {
  readonly cell: number;
  readonly id: number;
  readonly createdAt: string;
}

/** The result of nova for one instance. */
export type NovaChoice =
  | {
      readonly kind: 'host';
      readonly host: string;
      readonly node: string;
      readonly isMoved: boolean;
      readonly row: Row;
    }
  /** nova found no host and keeps the instance in cell0. */
  | { readonly kind: 'none' };

/** The amounts of an instance that came after the compared one. */
export interface LaterInstance {
  readonly uuid: string;
  readonly memoryMb: number;
  readonly vcpus: number;
  readonly rootGb: number;
  readonly ephemeralGb: number;
}

export class NewRequests {
  private constructor(
    private readonly open: () => Promise<NovaCells>,
    /** Undefined after a failure of the API database. */
    private opened: NovaCells | undefined,
    private last: number,
  ) {}

  /** From the given time of nova's databases (UTC), otherwise from now. Throws DatabaseUnreadable. */
  static async from(open: () => Promise<NovaCells>, since: string | undefined): Promise<NewRequests> {
    const cells = await open();
    try {
      const [row] = await cells.api.rows<{ readonly id: number }>(
        since === undefined ? NEWEST : BEFORE,
        since === undefined ? [] : [since],
      );
      return new NewRequests(open, cells, row?.id ?? 0);
    } catch (error) {
      cells.close();
      throw error;
    }
  }

  /** Connects again to databases that failed. Throws DatabaseUnreadable if the API database cannot be read. */
  async reconnect(): Promise<void> {
    if (this.opened?.api.isOpen === true && this.opened.failures.size === 0) return;
    this.close();
    this.opened = await this.open();
  }

  close(): void {
    this.opened?.close();
    this.opened = undefined;
  }

  private get cells(): NovaCells {
    if (this.opened === undefined) throw new DatabaseUnreadable('The connection was closed.');
    return this.opened;
  }

  /** The next requests, at most one read. */
  async next(): Promise<readonly NewRequest[]> {
    interface Stored {
      readonly id: number;
      readonly storedAt: string | null;
      readonly uuid: string;
      readonly spec: string | null;
    }
    const rows = await this.cells.api.rows<Stored>(AFTER, [this.last, SHADOW_LIMITS.requestsPerPoll]);
    const requests: NewRequest[] = [];
    for (const { uuid, spec, storedAt } of rows)
      requests.push(await this.withMembers({ ...requestOf(uuid, spec), storedAt: storedAt ?? '' }));
    // After all reads: a failure reads them again.
    this.last = rows.at(-1)?.id ?? this.last;
    return requests;
  }

  /** The choices that are known now; instances without an entry wait. */
  async choices(uuids: readonly string[]): Promise<ReadonlyMap<string, NovaChoice>> {
    const choices = new Map<string, NovaChoice>();
    if (uuids.length === 0) return choices;
    interface Place extends Omit<Row, 'cell'> {
      readonly uuid: string;
      readonly host: string | null;
      readonly node: string | null;
      readonly launchedOn: string | null;
      readonly moves: number;
    }
    for (const cell of this.cells.readable) {
      for (const place of (await this.cells.rows<Place>(cell, PLACES, [uuids])) ?? []) {
        const { uuid, host, node, launchedOn, moves, id, createdAt } = place;
        if (host === null) continue;
        const isMoved = moves > 0 || (launchedOn !== null && launchedOn !== host);
        choices.set(uuid, { kind: 'host', host, node: node ?? host, isMoved, row: { cell: cell.id, id, createdAt } });
      }
    }
    for (const [uuid, cell] of await this.cells.cellsOf(uuids)) {
      if (cell !== null && cell === this.cells.cellZero) choices.set(uuid, { kind: 'none' });
    }
    return choices;
  }

  /** The live instances that came after this one, the newest first; undefined: too many, or a cell cannot be read. */
  async laterThan({ storedAt }: NewRequest, choice: NovaChoice): Promise<readonly LaterInstance[] | undefined> {
    const later: LaterInstance[] = [];
    const row = choice.kind === 'host' ? choice.row : null;
    const since = row?.createdAt ?? storedAt;
    for (const cell of this.cells.readable) {
      // Ids tell the order of one cell; with rows of other cells, a second is the best that is known.
      const id = cell.id === row?.cell ? row.id : Number.MAX_SAFE_INTEGER;
      const params = [since, since, id, SHADOW_LIMITS.laterInstances];
      const rows = await this.cells.rows<LaterInstance>(cell, LATER, params);
      if (rows === undefined || rows.length === SHADOW_LIMITS.laterInstances) return undefined;
      later.push(...rows);
    }
    return later;
  }

  /** Other instances of these hosts that changed after the request, or have a task. */
  async changedOn(
    hosts: readonly string[],
    { uuid, storedAt }: NewRequest,
    later: readonly LaterInstance[],
  ): Promise<number> {
    const known = [uuid, ...later.map((instance) => instance.uuid)];
    let sum = 0;
    for (const cell of this.cells.readable) {
      const params = [hosts, known, storedAt, storedAt];
      const rows = await this.cells.rows<{ readonly changed: number }>(cell, CHANGED, params);
      sum += rows?.[0]?.changed ?? 0;
    }
    return sum;
  }

  /** nova stores a server group without its members. */
  private async withMembers(request: NewRequest): Promise<NewRequest> {
    const { spec } = request;
    const group = spec?.instanceGroup;
    if (!spec || !group || group.uuid === null || group.members.length > 0) return request;
    const rows = await this.cells.api.rows<{ readonly uuid: string }>(MEMBERS, [
      group.uuid,
      SHADOW_LIMITS.groupMembers,
    ]);
    const members = rows.map(({ uuid }) => uuid);
    return { ...request, spec: { ...spec, instanceGroup: { ...group, members, hosts: [] } } };
  }
}

function requestOf(uuid: string, text: string | null): Omit<NewRequest, 'storedAt'> {
  try {
    const spec = requestSpecOf(readObject(JSON.parse(text ?? 'null'), 'RequestSpec'));
    return { uuid, spec, problem: null };
  } catch (error) {
    if (error instanceof SyntaxError) return { uuid, spec: null, problem: 'the stored request is no JSON' };
    if (error instanceof NovaObjectError) return { uuid, spec: null, problem: error.message };
    throw error;
  }
}
