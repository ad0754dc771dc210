// Derives JSON Schemas from the classes that validate documents, for the API document and for compiled validators of
// long lists. Rules become keywords; alternatives of a field become part of its schema.
import type { Type } from '@nestjs/common';
import { ValidationTypes } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import type { SchemaNode } from '../microversion/versioned-schema';
import { MAX_NAME_LENGTH } from '../values/names';
import type { Alternatives } from './dto-rules';
import { alternativesOf } from './dto-rules';

/** Schema names of classes whose name without `Dto` is already the name of an answer. */
const NAMES: Readonly<Record<string, string>> = {
  CapacityDto: 'CapacityRequest',
  MoveDto: 'MoveRequest',
  FlavorDto: 'InlineFlavor',
  ImageDto: 'InlineImage',
  InstanceGroupDto: 'InlineServerGroup',
  HostAggregateDto: 'HostAggregateDefinition',
  ServerGroupDto: 'ServerGroupDefinition',
};

export interface DtoSchema {
  readonly name: string;
  readonly schema: SchemaNode;
  /** Classes of nested documents. */
  readonly inside: readonly Type<object>[];
}

/** Names of rules whose constraint is the class of the documents. */
export const LIST_OF_DOCUMENTS = 'isListOf';
export const LONG_LIST_OF_DOCUMENTS = 'isLongListOf';
export const DOCUMENT = 'isDocument';

const known = new Map<Type<object>, DtoSchema>();

/** Cached without limit: the set of classes is fixed. */
export function dtoSchemaOf(type: Type<object>): DtoSchema {
  const found = known.get(type) ?? converted(type);
  known.set(type, found);
  return found;
}

/** The schema of a list of documents, with all referenced schemas. */
export function listSchemaOf(type: Type<object>, maxItems: number): SchemaNode {
  const schemas: Record<string, SchemaNode> = {};
  const add = (each: Type<object>): void => {
    const { name, schema, inside } = dtoSchemaOf(each);
    schemas[name] = schema;
    inside.forEach(add);
  };
  add(type);
  return { type: 'array', maxItems, items: referTo(nameOf(type)), components: { schemas } };
}

export const referTo = (name: string): SchemaNode => ({ $ref: `#/components/schemas/${name}` });

const nameOf = (type: Type<object>): string => NAMES[type.name] ?? type.name.replace(/Dto$/, '');

function converted(type: Type<object>): DtoSchema {
  const inside: Type<object>[] = [];
  const documentOf = ({ constraints }: ValidationMetadata): SchemaNode => {
    const nested = (constraints[0] as () => Type<object>)();
    inside.push(nested);
    return referTo(nameOf(nested));
  };
  const listOf = (meta: ValidationMetadata): SchemaNode => ({ type: 'array', items: documentOf(meta) });
  const { properties = {} } = targetConstructorToSchema(type, {
    additionalConverters: {
      [ValidationTypes.NESTED_VALIDATION]: {},
      [ValidationTypes.CUSTOM_VALIDATION]: schemaOfRule,
      [DOCUMENT]: documentOf,
      [LIST_OF_DOCUMENTS]: listOf,
      [LONG_LIST_OF_DOCUMENTS]: (meta) => ({ ...listOf(meta), maxItems: meta.constraints[1] as number }),
      isUuid: schemaOfRule,
      isIn: schemaOfValues,
      matches: ({ constraints }: ValidationMetadata) => ({
        type: 'string',
        pattern: (constraints[0] as RegExp).source,
      }),
    },
  }) as { readonly properties?: Readonly<Record<string, SchemaNode>> };
  const alternatives = alternativesOf(type);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, own]) => [name, withAlternatives(own, alternatives.get(name))]),
    ),
    required: Object.keys(properties).filter((name) => alternatives.get(name)?.absent !== true),
    additionalProperties: false,
  };
  return { name: nameOf(type), schema, inside };
}

/** A custom rule has its schema as its constraint. */
function schemaOfRule({ target, propertyName, constraints }: ValidationMetadata): SchemaNode {
  const [schema] = (constraints ?? []) as readonly unknown[];
  if (typeof schema === 'object' && schema !== null) return schema as SchemaNode;
  throw new Error(`a rule of ${(target as Type<object>).name}.${propertyName} has no schema`);
}

/** Values can have several types. */
function schemaOfValues({ constraints }: ValidationMetadata): SchemaNode {
  const values = constraints[0] as readonly unknown[];
  const types = [...new Set(values.map((value) => typeof value))];
  return { type: types.length === 1 ? types[0] : types, enum: values };
}

function withAlternatives(schema: SchemaNode, { name, words = [], null: isNullable }: Alternatives = {}): SchemaNode {
  if (Object.keys(schema).length === 0) return schema;
  const others = [
    ...(name === true ? [{ type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH }] : []),
    ...words.map((word) => ({ const: word })),
    ...(isNullable === true ? [{ type: 'null' }] : []),
  ];
  return others.length === 0 ? schema : { anyOf: [schema, ...others] };
}
