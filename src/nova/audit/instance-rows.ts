// Reads live instances of one cell with everything that decides where and how much they have in Placement.
import { addTo } from '../../platform/values/lists-by-key';
import type { Flavor, Image } from '../../scheduling-rules/request-spec/request-spec';
import type { AuditedCell, NovaCells } from '../cells/nova-cells';
import { FieldReader } from '../objects/field-reader';
import { flavorOf } from '../objects/request-spec';
import { NovaObjectError, readObject } from '../objects/versioned-object';
import type { AuditedInstance, Sizing } from './nova-records';

/** States in which a migration counts on none of its hosts. `error` is judged with the state of its instance. */
const ENDED_MIGRATIONS: ReadonlySet<string | null> = new Set([
  'confirmed',
  'reverted',
  'failed',
  'completed',
  'cancelled',
  'done',
]);
const FAILED_MIGRATION = 'error';
/** The source keeps its allocations until its nova-compute runs again, cleans it and sets `completed`. */
const UNCLEAN_EVACUATION = 'done';
/** Prefix of the keys with the properties of the image. */
const IMAGE_KEY = 'image_';

const COLUMNS =
  'id, uuid, host, node, vm_state AS vmState, task_state AS taskState, project_id AS projectId, user_id AS userId, ' +
  'hidden, image_ref AS imageRef';
const BY_UUIDS = `SELECT ${COLUMNS} FROM instances WHERE deleted = 0 AND uuid IN (?)`;
const AFTER = `SELECT ${COLUMNS} FROM instances WHERE deleted = 0 AND host IS NOT NULL AND id > ? ORDER BY id LIMIT ?`;
const MOVES =
  'SELECT instance_uuid AS uuid, source_compute AS source, dest_compute AS target, status, migration_type AS type ' +
  'FROM migrations WHERE deleted = 0 AND instance_uuid IN (?) ' +
  "AND (status NOT IN ('confirmed', 'reverted', 'failed', 'completed', 'cancelled') OR status IS NULL)";
const FLAVORS = 'SELECT instance_uuid AS uuid, flavor FROM instance_extra WHERE deleted = 0 AND instance_uuid IN (?)';
const PROPERTIES =
  'SELECT instance_uuid AS uuid, `key`, value FROM instance_system_metadata ' +
  "WHERE deleted = 0 AND instance_uuid IN (?) AND `key` LIKE 'image\\\\_%'";
const ROOT_DISKS =
  'SELECT instance_uuid AS uuid, destination_type AS type FROM block_device_mapping ' +
  'WHERE deleted = 0 AND boot_index = 0 AND instance_uuid IN (?)';

interface InstanceRow extends Pick<AuditedInstance, 'uuid' | 'host' | 'node' | 'vmState' | 'taskState'> {
  readonly id: number;
  readonly projectId: string | null;
  readonly userId: string | null;
  readonly hidden: number | null;
  readonly imageRef: string | null;
}

interface MoveRow {
  readonly uuid: string;
  readonly source: string | null;
  readonly target: string | null;
  readonly status: string | null;
  readonly type: string | null;
}

/** Undefined: the cell cannot be read. */
export const instancesByUuid = async (
  cells: NovaCells,
  cell: AuditedCell,
  uuids: readonly string[],
): Promise<readonly AuditedInstance[] | undefined> =>
  completed(cells, cell, await cells.rows<InstanceRow>(cell, BY_UUIDS, [uuids]));

/** The next instances with a host, and the id of the last one. Undefined: the cell cannot be read. */
export async function instancesAfter(
  cells: NovaCells,
  cell: AuditedCell,
  { id, limit }: { readonly id: number; readonly limit: number },
): Promise<{ readonly instances: readonly AuditedInstance[]; readonly last: number | null } | undefined> {
  const rows = await cells.rows<InstanceRow>(cell, AFTER, [id, limit]);
  const instances = await completed(cells, cell, rows);
  if (rows === undefined || instances === undefined) return undefined;
  return { instances, last: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

/** A migration with `error` keeps its hosts while its instance is in error as well: an operator has to decide. */
export const isOpenMigration = (status: string | null, vmState: string | null): boolean =>
  status === FAILED_MIGRATION ? vmState === 'error' : !ENDED_MIGRATIONS.has(status);

async function completed(
  cells: NovaCells,
  cell: AuditedCell,
  rows: readonly InstanceRow[] | undefined,
): Promise<readonly AuditedInstance[] | undefined> {
  if (rows === undefined || rows.length === 0) return rows === undefined ? undefined : [];
  const uuids = rows.map(({ uuid }) => uuid);
  const moves = await cells.rows<MoveRow>(cell, MOVES, [uuids]);
  const flavors = await cells.rows<{ uuid: string; flavor: string | null }>(cell, FLAVORS, [uuids]);
  const properties = await cells.rows<{ uuid: string; key: string; value: string | null }>(cell, PROPERTIES, [uuids]);
  const disks = await cells.rows<{ uuid: string; type: string | null }>(cell, ROOT_DISKS, [uuids]);
  if (moves === undefined || flavors === undefined || properties === undefined || disks === undefined) return undefined;
  const movesOf = listsBy(moves);
  const propertiesOf = listsBy(properties);
  const flavorTexts = new Map(flavors.map(({ uuid, flavor }) => [uuid, flavor]));
  const diskTypes = new Map(disks.map(({ uuid, type }) => [uuid, type]));
  return rows.map((row) => {
    const own = movesOf.get(row.uuid) ?? [];
    const open = own.filter(({ status }) => isOpenMigration(status, row.vmState));
    const unclean = own.filter(({ status, type }) => type === 'evacuation' && status === UNCLEAN_EVACUATION);
    const hosts = [...open.flatMap(({ source, target }) => [source, target]), ...unclean.map(({ source }) => source)];
    const diskType = diskTypes.get(row.uuid);
    const { id: _id, imageRef, hidden, projectId, userId, ...known } = row;
    const isVolumeBacked = diskType === undefined ? !imageRef : diskType === 'volume';
    return {
      ...known,
      projectId: projectId ?? '',
      userId: userId ?? '',
      isHidden: hidden === 1,
      moveHosts: new Set(hosts.filter((host) => host !== null)),
      isMoving: open.length > 0,
      sizing: sizingOf(flavorTexts.get(row.uuid), propertiesOf.get(row.uuid) ?? [], isVolumeBacked),
    };
  });
}

function listsBy<R extends { readonly uuid: string }>(rows: readonly R[]): ReadonlyMap<string, readonly R[]> {
  const lists = new Map<string, R[]>();
  for (const row of rows) addTo(lists, row.uuid, row);
  return lists;
}

function sizingOf(
  text: string | null | undefined,
  properties: readonly { readonly key: string; readonly value: string | null }[],
  isVolumeBacked: boolean,
): Sizing | null {
  const flavor = currentFlavorOf(text);
  return flavor === null ? null : { flavor, image: imageOf(properties), isVolumeBacked };
}

/** `instance_extra.flavor` has the flavors before, during and after a resize. Null: it cannot be read. */
function currentFlavorOf(text: string | null | undefined): Flavor | null {
  if (!text) return null;
  try {
    const { cur } = JSON.parse(text) as { readonly cur?: unknown };
    return flavorOf(new FieldReader(readObject(cur, 'Flavor'), 'flavor'));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof NovaObjectError) return null;
    throw error;
  }
}

const imageOf = (properties: readonly { readonly key: string; readonly value: string | null }[]): Image => ({
  id: null,
  name: null,
  diskFormat: null,
  properties: Object.fromEntries(
    properties.flatMap(({ key, value }) => (value === null ? [] : [[key.slice(IMAGE_KEY.length), value]])),
  ),
});
