// JSON Schemas of the classes that judge documents of ours. Their rules become keywords; what may be missing, be null or
// be a name in the place of a document is asked of the very judge.
import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { ValidationTypes, validateSync } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { MAX_TEXT } from '../compute/registry-schema';
import { JUDGED_STRICTLY } from '../http/dto-lists';
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
      isListOf: (meta: ValidationMetadata) => ({ type: 'array', items: documentOf(meta) }),
      isUuid: schemaOfRule,
      matches: ({ constraints }: ValidationMetadata) => ({
        type: 'string',
        pattern: (constraints[0] as RegExp).source,
      }),
    },
  }) as { readonly properties?: Readonly<Record<string, SchemaNode>> };
  const names = Object.keys(properties);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, completed(type, name, properties[name] ?? {})])),
    required: names.filter((name) => !isTaken(type, name, undefined)),
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

/** Whether the judge finds nothing wrong with this value of the property. */
function isTaken(type: Type<object>, property: string, value: unknown): boolean {
  const document = plainToInstance(type, value === undefined ? {} : { [property]: value });
  return validateSync(document, JUDGED_STRICTLY).every((error) => error.property !== property);
}

const SOME_NAME = 'a';
const AUTO = 'auto';

function completed(type: Type<object>, property: string, schema: SchemaNode): SchemaNode {
  const isDocument = '$ref' in schema || schema['type'] === 'array';
  const alternatives = [
    schema,
    ...(isDocument && isTaken(type, property, SOME_NAME)
      ? [{ type: 'string', minLength: 1, maxLength: MAX_TEXT }]
      : isDocument && isTaken(type, property, AUTO)
        ? [{ const: AUTO }]
        : []),
    ...(isTaken(type, property, null) ? [{ type: 'null' }] : []),
  ];
  return alternatives.length === 1 ? schema : { anyOf: alternatives };
}
