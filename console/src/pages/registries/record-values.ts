// Converts between the values of a record's form and the documents of the service.
import type { Client } from '@berth/client';
import type { FieldNames } from './field-fault';
import type { Pair } from './pairs';
import { changesBetween, pairsOf, recordOf } from './pairs';
import type { Field, FieldValue, FieldValues, Recorded, RegistryDefinition, Written } from './registry-definition';

export interface RecordValues {
  readonly fields: FieldValues;
  readonly pairs: Pair[];
}

const read = <Row>(record: Row, name: string): unknown => (record as Readonly<Record<string, unknown>>)[name];

export function valuesOf<Row extends Recorded>(
  { fields, pairs }: RegistryDefinition<Row>,
  record: Row | undefined,
): RecordValues {
  const valueOf = (field: Field<Row>): FieldValue => {
    if (record === undefined) return field.initial;
    return field.read === undefined ? ((read(record, field.name) ?? field.initial) as FieldValue) : field.read(record);
  };
  return {
    fields: Object.fromEntries(fields.flat().map((field) => [field.name, valueOf(field)])),
    pairs: record === undefined || pairs === undefined ? [] : pairsOf(pairs.read(record)),
  };
}

export const namesOf = <Row extends Recorded>(
  { fields, pairs }: RegistryDefinition<Row>,
  values: RecordValues,
): FieldNames => ({
  fields: fields.flat().map(({ name }) => name),
  ...(pairs !== undefined && { pairs: { field: pairs.field, keys: values.pairs.map(({ key }) => key.trim()) } }),
});

/** `base`: the record that filled the form. */
export function save<Row extends Recorded>(
  registry: RegistryDefinition<Row>,
  client: Client,
  values: RecordValues,
  base: Row | undefined,
): Promise<Row & Written> {
  const { fields, pairs, callsOf, keyOf } = registry;
  const document = Object.fromEntries(fields.flat().map((field) => [field.name, documented(field, values)]));
  if (registry.save !== undefined) return registry.save(client, document, base);
  const texts = recordOf(values.pairs);
  const { create, change } = callsOf(client);
  if (base === undefined) return create({ ...document, ...(pairs && { [pairs.field]: texts }) } as never);
  const changed = Object.entries(document).filter(([name, value]) => value !== read(base, name));
  return change(keyOf(base), {
    generation: base.generation,
    ...Object.fromEntries(changed),
    ...(pairs && { [pairs.field]: changesBetween(pairs.read(base), texts) }),
  } as never);
}

function documented<Row>({ name, kind, isOptional }: Field<Row>, { fields }: RecordValues): FieldValue {
  const value = fields[name] ?? null;
  const text = String(value ?? '').trim();
  if (isOptional === true && text === '') return null;
  if (kind === 'number') return Number(value);
  return isOptional === true ? text : value;
}

/** Reverts a write of a record: creates it again, restores it or deletes it. Throws if it was changed since the write. */
export const undoOf =
  <Row extends Recorded>(
    { callsOf, keyOf }: RegistryDefinition<Row>,
    client: Client,
    /** The record before and after the write; undefined: there was none. */
    { before, after }: { readonly before: Row | undefined; readonly after: Row | undefined },
  ) =>
  async (): Promise<unknown> => {
    const calls = callsOf(client);
    if (before !== undefined) {
      return calls.put(keyOf(before), {
        ...definitionOf(before),
        ...(after && { generation: after.generation }),
      } as never);
    }
    if (after === undefined) return undefined;
    const { generation } = await calls.get(keyOf(after));
    if (generation !== after.generation) throw new Error('Another request changed it meanwhile.');
    return calls.delete(keyOf(after));
  };

/** What is not part of a definition; a group's hosts are those of its members, which a PUT without them keeps. */
const NOT_DEFINED = ['generation', 'created_at', 'updated_at', 'warnings'];

function definitionOf(record: Recorded): object {
  const left = 'policy' in record ? [...NOT_DEFINED, 'members', 'hosts'] : NOT_DEFINED;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !left.includes(name)));
}
