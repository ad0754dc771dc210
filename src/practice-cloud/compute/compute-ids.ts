// Ids of hosts and services in the Compute API: uuids, or integers in older versions. The uuid of a service is computed
// from the name of its host, and the integer from the uuid.
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import { hashedUuid } from '../../scheduler/simulate/derived-uuid';

export const serviceUuidOf = (host: string): Uuid => hashedUuid(`nova-compute\0${host}`);

/** 48 bits: JSON represents it exactly, and a collision between two hosts of one cloud is very unlikely. */
const numberOf = (uuid: Uuid): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);

/** The id at the requested version. */
export const idOf = (uuid: Uuid, hasUuids: boolean): Uuid | number => (hasUuids ? uuid : numberOf(uuid));

/** Whether the id in a path is this uuid, in any spelling, or its integer. */
export function namedBy(id: string): (uuid: Uuid) => boolean {
  const named = canonicalUuid(id);
  return (uuid) => uuid === named || id === String(numberOf(uuid));
}
