// Parses uuids on the wire and defines their canonical form.

const URN_PREFIX = /^(?:urn:)?(?:uuid:)?/i;
const HEX_32 = /^[0-9a-f]{32}$/;
const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Identifier of an object for clients: 36 characters, lower case, with dashes. */
export type Uuid = string;

export const UUID_LENGTH = 36;

export const isUuidLike = (text: string): boolean => canonicalUuid(text) !== undefined;

/**
 * The canonical form (lower case, dashes) of a uuid-like text, or `undefined` for any other text. Uuid-like (spec 1.9):
 * 32 hex digits of any case, optional dashes anywhere, optional braces, optional `urn:`/`uuid:` prefix.
 */
export function canonicalUuid(text: string): Uuid | undefined {
  if (CANONICAL.test(text)) return text;
  if (text.length > 96) return undefined;
  const bare = text.replace(URN_PREFIX, '').replace(/[{}]/g, '').replaceAll('-', '').toLowerCase();
  if (!HEX_32.test(bare)) return undefined;
  return `${bare.slice(0, 8)}-${bare.slice(8, 12)}-${bare.slice(12, 16)}-${bare.slice(16, 20)}-${bare.slice(20)}`;
}
