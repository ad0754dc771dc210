// Messages about invalid fields, for bodies, queries and requests: one sentence that begins with the field's path. The
// wording of JSON Schema rules is shared by all validators.
import { InvalidInput } from './errors';
import { canonicalUuid } from './uuid';

/** `'inventories.VCPU.total' must be >= 1.` The rule follows the name; without a path it concerns the document. */
export const fieldFault = (path: string, rule: string): string =>
  `${path === '' ? 'the document' : `'${path}'`} ${rule}.`;

const SHOWN_CHARACTERS = 120;

/** Client text, truncated for a message. */
export const shown = (text: string): string => text.slice(0, SHOWN_CHARACTERS);

export const FIELD_RULES = {
  required: (name: string) => `lacks the required property '${shown(name)}'`,
  unknown: (name: string) => `has the unknown property '${shown(name)}'`,
  type: (type: string) => `is not of type ${type}`,
  uuid: 'is not a uuid',
  text: 'is not valid text',
  time: 'is not a time in ISO 8601',
  name: 'must be printable and not empty, without a blank at its start or end',
  printable: 'must be printable text, without control characters and line breaks',
  twice: 'has the same entry twice',
  /** `comparison` is `>=` or `<=`. */
  bound: (comparison: string, limit: number | string) => `must be ${comparison} ${limit}`,
  characters: (side: 'least' | 'most', limit: number | string) => `must have at ${side} ${limit} characters`,
  entries: (side: 'least' | 'most', limit: number | string) => `must have at ${side} ${limit} entries`,
  oneOf: (values: readonly unknown[]) => `must be one of ${values.join(', ')}`,
} as const;

/** Clients of the Placement API match this text. */
export const notUuid = (text: string): string => `'${shown(text)}' is not a 'uuid'`;

export const BODY_PREFIX = 'JSON does not validate:';
export const QUERY_PREFIX = 'Invalid query string parameters:';

/** Error for a body field that violates a rule. */
export const bodyFault = (path: string, rule: string): InvalidInput =>
  new InvalidInput(`${BODY_PREFIX} ${fieldFault(path, rule)}`);

/** Error for a query parameter that violates a rule. */
export const queryFault = (name: string, rule: string): InvalidInput =>
  new InvalidInput(`${QUERY_PREFIX} ${fieldFault(name, rule)}`);

/** Two keys of an object are the same uuid; `key` is the second of them. */
export function repeatedUuidFault(keyed: object, key: string): InvalidInput {
  const uuid = canonicalUuid(key);
  const first = Object.keys(keyed).find((other) => canonicalUuid(other) === uuid) ?? key;
  return new InvalidInput(`${BODY_PREFIX} the keys '${first}' and '${key}' are the same uuid.`);
}
