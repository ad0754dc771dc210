// JSON Schemas of the classes that judge documents of ours. Their rules become keywords; what may be missing, be null or
// be a name in the place of a document is asked of the very judge.
import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { ValidationTypes, validateSync } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { MAX_TEXT } from '../compute/registry-schema';
import { JUDGED_STRICTLY, LIST_OF_DOCUMENTS } from '../http/dto-lists';
import type { SchemaNode } from '../microversion/versioned-schema';

/** What documents call a class, where its name less `Dto` is that of an answer already. */
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
  /** Classes whose documents stand inside. */
  readonly inside: readonly Type<object>[];
}

const known = new Map<Type<object>, DtoSchema>();

/** Kept: the classes are those of the program. */
export function dtoSchemaOf(type: Type<object>): DtoSchema {
  const found = known.get(type) ?? converted(type);
  known.set(type, found);
  return found;
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
  const { properties = {} } = targetConstructorToSchema(type, {
    additionalConverters: {
      [ValidationTypes.NESTED_VALIDATION]: {},
      [ValidationTypes.CUSTOM_VALIDATION]: schemaOfRule,
      isDocument: documentOf,
      [LIST_OF_DOCUMENTS]: (meta: ValidationMetadata) => ({ type: 'array', items: documentOf(meta) }),
      isUuid: schemaOfRule,
      isIn: schemaOfValues,
      matches: ({ constraints }: ValidationMetadata) => ({
        type: 'string',
        pattern: (constraints[0] as RegExp).source,
      }),
    },
  }) as { readonly properties?: Readonly<Record<string, SchemaNode>> };
  const taken = takenBy(type, Object.keys(properties));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, own]) => [name, completed(own, (value) => taken(value).has(name))]),
    ),
    required: Object.keys(properties).filter((name) => !taken(undefined).has(name)),
    additionalProperties: false,
  };
  return { name: nameOf(type), schema, inside };
}

/** A rule of our own has its schema as its constraint. */
function schemaOfRule({ target, propertyName, constraints }: ValidationMetadata): SchemaNode {
  const [schema] = (constraints ?? []) as readonly unknown[];
  if (typeof schema === 'object' && schema !== null) return schema as SchemaNode;
  throw new Error(`a rule of ${(target as Type<object>).name}.${propertyName} has no schema`);
}

/** Values of several types as well. */
function schemaOfValues({ constraints }: ValidationMetadata): SchemaNode {
  const values = constraints[0] as readonly unknown[];
  const types = [...new Set(values.map((value) => typeof value))];
  return { type: types.length === 1 ? types[0] : types, enum: values };
}

const SOME_NAME = 'a';
/** Words that mean something where a name would not be taken. */
const WORDS = ['auto', 'none'] as const;

type Probe = undefined | null | typeof SOME_NAME | (typeof WORDS)[number];

/** The properties with which the judge finds nothing wrong where they have this value: all are asked about at once. */
function takenBy(type: Type<object>, properties: readonly string[]): (value: Probe) => ReadonlySet<string> {
  const found = new Map<Probe, ReadonlySet<string>>();
  const ask = (value: Probe): ReadonlySet<string> => {
    const document = value === undefined ? {} : Object.fromEntries(properties.map((name) => [name, value]));
    const errors = validateSync(plainToInstance(type, document), JUDGED_STRICTLY);
    const refused = new Set(errors.map(({ property }) => property));
    return new Set(properties.filter((name) => !refused.has(name)));
  };
  return (value) => {
    const known = found.get(value) ?? ask(value);
    found.set(value, known);
    return known;
  };
}

function completed(schema: SchemaNode, isTaken: (value: Probe) => boolean): SchemaNode {
  if (Object.keys(schema).length === 0) return schema;
  const isDocument = '$ref' in schema || schema['type'] === 'array';
  const alternatives = [
    schema,
    ...(isDocument && isTaken(SOME_NAME)
      ? [{ type: 'string', minLength: 1, maxLength: MAX_TEXT }]
      : WORDS.filter((word) => isDocument && isTaken(word)).map((word) => ({ const: word }))),
    ...(isTaken(null) ? [{ type: 'null' }] : []),
  ];
  return alternatives.length === 1 ? schema : { anyOf: alternatives };
}
