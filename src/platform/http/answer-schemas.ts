// Building blocks for the schemas of answers.
import type { SchemaNode } from '../microversion/versioned-schema';
import { closed, named } from '../microversion/versioned-schema';

export const TEXT: SchemaNode = { type: 'string' };
export const UUID: SchemaNode = { type: 'string', format: 'uuid' };
/** Link to a related resource; relative to the prefix that the client sees. */
export const LINK = named('Link', closed({ rel: TEXT, href: TEXT }));
/** ISO 8601, in UTC. */
export const TIME: SchemaNode = { type: 'string', format: 'date-time' };
export const FLAG: SchemaNode = { type: 'boolean' };
export const NUMBER: SchemaNode = { type: 'number' };
export const INTEGER: SchemaNode = { type: 'integer' };
export const COUNT: SchemaNode = { type: 'integer', minimum: 0 };
/** Increases with every change; clients only compare it for equality. */
export const GENERATION: SchemaNode = { type: 'integer', minimum: 0 };
/** Any JSON value: data of other clients, or parameters of a code. */
export const ANYTHING: SchemaNode = {};

export const listOf = (items: SchemaNode): SchemaNode => ({ type: 'array', items });

/** An object whose keys are names or uuids. */
export const byName = (values: SchemaNode): SchemaNode => ({ type: 'object', additionalProperties: values });

export const oneOf = (...values: readonly (string | null)[]): SchemaNode => ({ enum: values });

/** A schema for any value already allows null. */
export const orNull = (schema: SchemaNode): SchemaNode => (schema === ANYTHING ? schema : orNullOf(schema));

const orNullOf = (schema: SchemaNode): SchemaNode =>
  typeof schema['type'] === 'string' && schema['enum'] === undefined && schema['properties'] === undefined
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

/** Schemas of query parameters, whose values are text. */
export const UUID_TEXT: SchemaNode = { type: 'string', format: 'uuid-like' };
export const INTEGER_TEXT: SchemaNode = { type: 'string', pattern: '^[0-9]+$' };
export const FLAG_TEXT: SchemaNode = { type: 'string', enum: ['true', 'false', '1', '0', 'yes', 'no'] };
