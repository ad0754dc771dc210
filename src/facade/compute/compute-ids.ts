// The Compute API names hosts and their services by uuids, and by integers before those. A uuid of a service follows from
// its host's name, an integer from the uuid.
import { createHash } from 'node:crypto';
import { canonicalUuid } from '../../domain/uuid';
import type { Uuid } from '../../domain/uuid';

export function serviceUuidOf(host: string): Uuid {
  const hex = createHash('sha256').update(`nova-compute\0${host}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Of 48 bits: what JSON writes exactly, and too many for two hosts of a cloud to share one. */
const numberOf = (uuid: Uuid): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);

/** What a thing is called at the version asked for. */
export const idOf = (uuid: Uuid, hasUuids: boolean): Uuid | number => (hasUuids ? uuid : numberOf(uuid));

/** Whether a path names a thing of this uuid: by the uuid, however it is spelled, or by the integer. */
export function namedBy(id: string): (uuid: Uuid) => boolean {
  const named = canonicalUuid(id);
  return (uuid) => uuid === named || id === String(numberOf(uuid));
}
