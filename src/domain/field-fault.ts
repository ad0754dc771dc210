// What is said of a field that is refused, of bodies, queries and requests alike: one sentence, which begins with the
// field's path as the client wrote it, and the words for the rules that JSON Schema knows, whoever judged by them.
import { InvalidInput } from './errors';
import { canonicalUuid } from './uuid';

/** `'inventories.VCPU.total' must be >= 1.` The rule is what follows the name; without a path it is the document's. */
export const fieldFault = (path: string, rule: string): string =>
  `${path === '' ? 'the document' : `'${path}'`} ${rule}.`;

const SHOWN_CHARACTERS = 120;

/** What a client wrote, as far as a sentence shows it. */
export const shown = (text: string): string => text.slice(0, SHOWN_CHARACTERS);

export const FIELD_RULES = {
  required: (name: string) => `lacks the required property '${shown(name)}'`,
  unknown: (name: string) => `has the unknown property '${shown(name)}'`,
  type: (type: string) => `is not of type ${type}`,
  uuid: 'is not a uuid',
  text: 'is not valid text',
  time: 'is not a time in ISO 8601',
  name: 'must not be empty, nor start or end with a blank',
  twice: 'has the same entry twice',
  /** `comparison` as it is written: >=, <=. */
  bound: (comparison: string, limit: number | string) => `must be ${comparison} ${limit}`,
  characters: (side: 'least' | 'most', limit: number | string) => `must have at ${side} ${limit} characters`,
  entries: (side: 'least' | 'most', limit: number | string) => `must have at ${side} ${limit} entries`,
  oneOf: (values: readonly unknown[]) => `must be one of ${values.join(', ')}`,
} as const;

/** Clients of the Placement API match these words. */
export const notUuid = (text: string): string => `'${shown(text)}' is not a 'uuid'`;

export const BODY_PREFIX = 'JSON does not validate:';
export const QUERY_PREFIX = 'Invalid query string parameters:';

/** A field of a body that breaks a rule. */
export const bodyFault = (path: string, rule: string): InvalidInput =>
  new InvalidInput(`${BODY_PREFIX} ${fieldFault(path, rule)}`);

/** A parameter of a query that breaks a rule. */
export const queryFault = (name: string, rule: string): InvalidInput =>
  new InvalidInput(`${QUERY_PREFIX} ${fieldFault(name, rule)}`);

/** Two keys of an object that are one uuid; `key` is the second of them. */
export function repeatedUuidFault(keyed: object, key: string): InvalidInput {
  const uuid = canonicalUuid(key);
  const first = Object.keys(keyed).find((other) => canonicalUuid(other) === uuid) ?? key;
  return new InvalidInput(`${BODY_PREFIX} the keys '${first}' and '${key}' are the same uuid.`);
}
