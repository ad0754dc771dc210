// Searches placed instances for lists. A part of a name is searched in slices of the index of names; a beginning of a
// uuid and every other filter has an index too. Each search reads a bounded number of rows and says if it stopped early.
import type { SqlReader } from '../../platform/database/sql';
import { marks } from '../../platform/database/sql';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import { unknownMarker } from '../registry-page';
import type { Condition } from '../registry-page.sql';
import { countRows, equal, whereOf } from '../registry-page.sql';
import type { InstanceRecord } from './instance.entity';
import { INSTANCES, STATE } from './instances.repository';
import { IS_PLACED } from './instances.writes';

export interface InstanceSearch {
  /** Part of the name in any case, or the beginning of the uuid with at least 8 digits. */
  readonly search: string | undefined;
  readonly host: string | undefined;
  readonly projectId: string | undefined;
  readonly flavorId: string | undefined;
  readonly groupUuid: Uuid | undefined;
}

interface SearchPage {
  readonly limit: number;
  /** Uuid of the last row that the page before read. */
  readonly marker: Uuid | undefined;
}

type Shown = 'uuid' | 'name' | 'projectId' | 'userId' | 'host' | 'hostUuid' | 'state' | 'requestId' | 'createdAtMs';

export interface FoundInstance extends Pick<InstanceRecord, Shown> {
  /** Null: the flavor was given inline, without a name. */
  readonly flavor: string | null;
  readonly image: string | null;
  readonly group: { readonly uuid: Uuid; readonly name: string | null } | null;
}

export interface FoundPage {
  readonly instances: readonly FoundInstance[];
  readonly next: Uuid | null;
}

interface Row {
  readonly id: number;
  readonly uuid: Uuid;
  readonly name: string | null;
}

/** Index entries of names, and rows with other filters, that one request reads. */
const NAMES_READ = 250_000;
const ROWS_READ = 20_000;
const NAMES_PER_SLICE = 2_000;
/** Rows are wide, because they hold documents. */
const ROWS_PER_SLICE = 250;
const UUID_START = /^[0-9a-f]{8}(?:-[0-9a-f-]*|[0-9a-f]{0,24})$/i;

/** Newest first; by name if only a part of the name is given. Throws InvalidInput for an unknown marker. */
export async function searchInstances(sql: SqlReader, search: InstanceSearch, page: SearchPage): Promise<FoundPage> {
  const text = search.search?.trim() ?? '';
  const from = page.marker === undefined ? undefined : await rowOf(sql, page.marker);
  if (UUID_START.test(text)) {
    const found = await byUuid(sql, search, { text, page });
    if (found.instances.length > 0 || from !== undefined) return found;
  }
  const part = text.toLowerCase();
  const isWanted = ({ name }: Pick<Row, 'name'>): boolean => part === '' || name?.toLowerCase().includes(part) === true;
  const conditions = conditionsOf(search);
  const slices =
    part !== '' && conditions.length === 0
      ? namesAfter(sql, from)
      : search.host === undefined
        ? rowsBefore(sql, conditions, from?.id)
        : rowsOnHost(sql, search.host, conditions, from?.id);
  return collect(sql, slices, { isWanted, limit: page.limit, most: conditions.length === 0 ? NAMES_READ : ROWS_READ });
}

/** The number of placed instances that a search finds; null if it is for a name or uuid. */
export async function countInstances(sql: SqlReader, search: InstanceSearch): Promise<number | null> {
  if ((search.search?.trim() ?? '') !== '') return null;
  return countRows(sql, 'scheduler_instances i', [...conditionsOf(search), [IS_PLACED, []]]);
}

/** Rows in the order of the search. */
interface Slice {
  readonly rows: readonly Pick<Row, 'id' | 'name'>[];
  readonly isLast: boolean;
  /** Uuid of the last row, from which a search that stops here continues. */
  readonly lastUuid: () => Promise<Uuid | undefined>;
}

interface Wanted {
  readonly isWanted: (row: Pick<Row, 'name'>) => boolean;
  readonly limit: number;
  readonly most: number;
}

async function collect(
  sql: SqlReader,
  slices: AsyncIterable<Slice>,
  { isWanted, limit, most }: Wanted,
): Promise<FoundPage> {
  const instances: FoundInstance[] = [];
  let read = 0;
  for await (const { rows, isLast, lastUuid } of slices) {
    read += rows.length;
    const found = await load(sql, rows.filter(isWanted), limit - instances.length + 1);
    for (const [at, instance] of found.entries()) {
      instances.push(instance);
      const hasMore = at < found.length - 1 || !isLast;
      if (instances.length === limit) return { instances, next: hasMore ? instance.uuid : null };
    }
    if (read >= most && !isLast) return { instances, next: (await lastUuid()) ?? null };
    // On SQLite a short read does not yield by itself.
    await tasks.yieldToEventLoop();
  }
  return { instances, next: null };
}

const conditionsOf = ({ host, projectId, flavorId, groupUuid }: InstanceSearch): readonly Condition[] =>
  equal({ 'i.host': host, 'i.project_id': projectId, 'i.flavor_id': flavorId, 'i.group_uuid': groupUuid });

/** In the order of the table, or of an index whose entries with equal keys are in that order. */
async function* rowsBefore(
  sql: SqlReader,
  conditions: readonly Condition[],
  before: number | undefined,
): AsyncIterable<Slice> {
  let id = before;
  for (;;) {
    const start: readonly Condition[] = id === undefined ? [] : [['i.id < ?', [id]]];
    const { where, params } = whereOf([...start, ...conditions]);
    const rows = await sql.query<Row>(
      `SELECT i.id, i.uuid, i.name FROM scheduler_instances i${where} ORDER BY i.id DESC LIMIT ${ROWS_PER_SLICE}`,
      params,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    const isLast = rows.length < ROWS_PER_SLICE;
    yield { rows, isLast, lastUuid: () => Promise.resolve(last.uuid) };
    if (isLast) return;
    id = last.id;
  }
}

/** The index of hosts has the ids in the order of nodes: they are read from it alone and sorted here. */
async function* rowsOnHost(
  sql: SqlReader,
  host: string,
  conditions: readonly Condition[],
  before: number | undefined,
): AsyncIterable<Slice> {
  const text = `SELECT i.id FROM scheduler_instances i WHERE i.host = ? LIMIT ${NAMES_READ}`;
  const entries = await sql.query<Pick<Row, 'id'>>(text, [host]);
  const ids = entries
    .map(({ id }) => Number(id))
    .filter((id) => before === undefined || id < before)
    .sort((a, b) => b - a);
  for (let at = 0; at < ids.length; at += ROWS_PER_SLICE) {
    const part = ids.slice(at, at + ROWS_PER_SLICE);
    const { where, params } = whereOf([[`i.id IN (${marks(part.length)})`, part], ...conditions]);
    const rows = await sql.query<Row>(
      `SELECT i.id, i.uuid, i.name FROM scheduler_instances i${where} ORDER BY i.id DESC`,
      params,
    );
    const isLast = at + ROWS_PER_SLICE >= ids.length;
    yield { rows, isLast, lastUuid: () => uuidOf(sql, part.at(-1) ?? 0) };
  }
}

async function* namesAfter(sql: SqlReader, from: Row | undefined): AsyncIterable<Slice> {
  let last: Pick<Row, 'id' | 'name'> | undefined = from;
  for (;;) {
    const { where, params } = whereOf(
      last === undefined
        ? [['i.name IS NOT NULL', []]]
        : [
            ['i.name >= ?', [last.name ?? '']],
            ['(i.name > ? OR i.id > ?)', [last.name ?? '', last.id]],
          ],
    );
    // The uuid is not in the index: only names and ids are read here.
    const entries = await sql.query<Pick<Row, 'id' | 'name'>>(
      `SELECT i.id, i.name FROM scheduler_instances i${where} ORDER BY i.name, i.id LIMIT ${NAMES_PER_SLICE}`,
      params,
    );
    const end = entries.at(-1);
    if (end === undefined) return;
    const isLast = entries.length < NAMES_PER_SLICE;
    yield { rows: entries, isLast, lastUuid: () => uuidOf(sql, end.id) };
    if (isLast) return;
    last = end;
  }
}

async function uuidOf(sql: SqlReader, id: number): Promise<Uuid | undefined> {
  const [row] = await sql.query<{ uuid: Uuid }>('SELECT uuid FROM scheduler_instances WHERE id = ?', [id]);
  return row?.uuid;
}

async function rowOf(sql: SqlReader, marker: Uuid): Promise<Row> {
  const [row] = await sql.query<Row>('SELECT id, uuid, name FROM scheduler_instances WHERE uuid = ?', [marker]);
  if (row === undefined) throw unknownMarker(marker);
  return row;
}

async function byUuid(
  sql: SqlReader,
  search: InstanceSearch,
  { text, page: { limit, marker } }: { readonly text: string; readonly page: SearchPage },
): Promise<FoundPage> {
  const start = canonicalUuid(text) ?? text.toLowerCase();
  const { where, params } = whereOf([
    ['i.uuid >= ?', [start]],
    // After every digit and the dash.
    ['i.uuid < ?', [`${start}g`]],
    ...(marker === undefined ? [] : [['i.uuid > ?', [marker]] as Condition]),
    ...conditionsOf(search),
  ]);
  const rows = await sql.query<Row>(
    `SELECT i.id, i.uuid, i.name FROM scheduler_instances i${where} ORDER BY i.uuid LIMIT ${limit + 1}`,
    params,
  );
  const instances = await load(sql, rows.slice(0, limit), limit);
  return { instances, next: rows.length > limit ? (rows[limit - 1]?.uuid ?? null) : null };
}

const LOADED_AT_ONCE = 200;

/** Those of the rows that are still placed, in the order of the rows; about `enough` of them. */
async function load(
  sql: SqlReader,
  rows: readonly Pick<Row, 'id'>[],
  enough: number,
): Promise<readonly FoundInstance[]> {
  const found = new Map<number, FoundInstance>();
  for (let at = 0; at < rows.length && found.size < enough; at += LOADED_AT_ONCE) {
    const ids = rows.slice(at, at + LOADED_AT_ONCE).map(({ id }) => id);
    const loaded = await sql.query<{ readonly group_name: string | null }>(
      'SELECT i.id, i.uuid, i.name, i.project_id, i.user_id, i.flavor, i.image, i.host, i.host_uuid, ' +
        `i.group_uuid, g.name AS group_name, ${STATE} AS state, i.request_id, i.created_at ` +
        'FROM scheduler_instances i LEFT JOIN server_groups g ON g.uuid = i.group_uuid ' +
        `WHERE i.id IN (${marks(ids.length)}) AND ${IS_PLACED}`,
      ids,
    );
    for (const row of loaded) {
      const { id, flavor, image, groupUuid, ...instance } = INSTANCES.read(row);
      const group = groupUuid === null ? null : { uuid: groupUuid, name: row.group_name };
      found.set(Number(id), { ...instance, flavor: nameIn(flavor), image: nameIn(image), group });
    }
  }
  return rows.flatMap(({ id }) => found.get(Number(id)) ?? []);
}

function nameIn(document: unknown): string | null {
  const { name, id } = (document ?? {}) as { readonly name?: unknown; readonly id?: unknown };
  return typeof name === 'string' ? name : typeof id === 'string' ? id : null;
}
