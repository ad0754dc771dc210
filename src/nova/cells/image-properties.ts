// Image properties of instances, from `instance_system_metadata`. Only ImagePropertiesWeigher uses them.
import type { Snapshot } from '../../platform/database/foreign-mysql';
import { chunks } from '../../platform/database/sql';
import { addTo } from '../../platform/values/lists-by-key';
import type { HostInstance } from '../../scheduling-rules/host-state/host-state';
import { NOVA_LIMITS } from './limits';
import { SharedValues } from './shared-values';

export type ImageProperties = HostInstance['imageProperties'];

export const NO_PROPERTIES: ImageProperties = Object.freeze({});

/** Keys are `image_<property>`, except these, which describe the image itself. */
const NO_PROPERTY = ['base_image_ref', 'min_ram', 'min_disk', 'disk_format', 'container_format']
  .map((name) => `'image_${name}'`)
  .join(', ');
const QUERY =
  'SELECT instance_uuid, `key`, value FROM instance_system_metadata ' +
  `WHERE deleted = 0 AND instance_uuid IN (?) AND \`key\` LIKE 'image\\_%' AND \`key\` NOT IN (${NO_PROPERTY}) ` +
  'ORDER BY instance_uuid, `key`';
const PREFIX = 'image_'.length;

interface Row {
  readonly instance_uuid: string;
  readonly key: string;
  readonly value: string | null;
}

/** The columns of an instance that select what is read. */
interface OwnerRow {
  readonly uuid: string;
  readonly host: string | null;
  readonly deleted: number;
}

/** Instances of one image share one object. */
const SHARED = new SharedValues(NOVA_LIMITS.sharedTexts);

/** Properties by instance. A change of system metadata moves the stamp of its instance, so they are read with its row. */
export async function readImageProperties(
  snapshot: Snapshot,
  rows: readonly OwnerRow[],
): Promise<ReadonlyMap<string, ImageProperties>> {
  const uuids = rows.filter(({ deleted, host }) => deleted === 0 && host !== null).map(({ uuid }) => uuid);
  const pairs = new Map<string, [string, string][]>();
  for (const part of chunks(uuids, NOVA_LIMITS.idsPerStatement)) {
    for (const { instance_uuid: uuid, key, value } of await snapshot.rows<Row>(QUERY, [part])) {
      if (value !== null) addTo(pairs, uuid, [key.slice(PREFIX), value]);
    }
  }
  return new Map([...pairs].map(([uuid, own]) => [uuid, sharedProperties(own)]));
}

const sharedProperties = (pairs: readonly (readonly [string, string])[]): ImageProperties =>
  SHARED.of(JSON.stringify(pairs), () => Object.freeze(Object.fromEntries(pairs)));

export function hasSameProperties(one: ImageProperties, other: ImageProperties): boolean {
  if (one === other) return true;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
