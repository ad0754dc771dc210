// Deterministic uuids for unnamed objects of a described cloud: the same document gives the same answer.
import { createHash } from 'node:crypto';
import type { Uuid } from '../../platform/values/uuid';

/** A version 8 uuid derived from the parts. */
export const derivedUuid = (...parts: readonly string[]): Uuid => hashedUuid(JSON.stringify(parts));

/** A version 8 uuid derived from the text. */
export function hashedUuid(text: string): Uuid {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
