// The Compute API names hosts and their services by uuids, and by integers before those. A uuid of a service follows from
// its host's name, an integer from the uuid.
import { canonicalUuid } from '../../domain/uuid';
import type { Uuid } from '../../domain/uuid';
import { hashedUuid } from '../../scheduler/simulate/derived-uuid';

export const serviceUuidOf = (host: string): Uuid => hashedUuid(`nova-compute\0${host}`);

/** Of 48 bits: what JSON writes exactly, and too many for two hosts of a cloud to share one. */
const numberOf = (uuid: Uuid): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);

/** What a thing is called at the version asked for. */
export const idOf = (uuid: Uuid, hasUuids: boolean): Uuid | number => (hasUuids ? uuid : numberOf(uuid));

/** Whether a path names a thing of this uuid: by the uuid, however it is spelled, or by the integer. */
export function namedBy(id: string): (uuid: Uuid) => boolean {
  const named = canonicalUuid(id);
  return (uuid) => uuid === named || id === String(numberOf(uuid));
}
