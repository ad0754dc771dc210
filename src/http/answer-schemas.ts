// Words that the schemas of answers are made of.
import { closed, named } from '../microversion/versioned-schema';
import type { SchemaNode } from '../microversion/versioned-schema';

export const TEXT: SchemaNode = { type: 'string' };
export const UUID: SchemaNode = { type: 'string', format: 'uuid' };
/** Where something related is; below the prefix that the client sees. */
export const LINK = named('Link', closed({ rel: TEXT, href: TEXT }));
/** ISO 8601, in UTC. */
export const TIME: SchemaNode = { type: 'string', format: 'date-time' };
export const FLAG: SchemaNode = { type: 'boolean' };
export const NUMBER: SchemaNode = { type: 'number' };
export const INTEGER: SchemaNode = { type: 'integer' };
export const COUNT: SchemaNode = { type: 'integer', minimum: 0 };
/** Only ever rises; clients compare it and think nothing of its value. */
export const GENERATION: SchemaNode = { type: 'integer', minimum: 0 };
/** Any JSON value: what somebody else wrote, or what belongs to a code. */
export const ANYTHING: SchemaNode = {};

export const listOf = (items: SchemaNode): SchemaNode => ({ type: 'array', items });

/** An object whose keys are names: of classes, of codes, uuids. */
export const byName = (values: SchemaNode): SchemaNode => ({ type: 'object', additionalProperties: values });

export const oneOf = (...values: readonly (string | null)[]): SchemaNode => ({ enum: values });

/** What is anything may be null as it is. */
export const orNull = (schema: SchemaNode): SchemaNode => (schema === ANYTHING ? schema : orNullOf(schema));

const orNullOf = (schema: SchemaNode): SchemaNode =>
  typeof schema['type'] === 'string' && schema['enum'] === undefined && schema['properties'] === undefined
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

/** Of query parameters: text, of which this is made. */
export const UUID_TEXT: SchemaNode = { type: 'string', format: 'uuid-like' };
export const INTEGER_TEXT: SchemaNode = { type: 'string', pattern: '^[0-9]+$' };
export const FLAG_TEXT: SchemaNode = { type: 'string', enum: ['true', 'false', '1', '0', 'yes', 'no'] };
