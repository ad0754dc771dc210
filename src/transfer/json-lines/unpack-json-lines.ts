// Converts a JSON Lines file to a database with the reference's schema, which is then imported like any other. Lines
// can therefore come in any order, memory is bounded, and the whole file is validated before the target changes.
import { STANDARD_RESOURCE_CLASSES } from '../../placement/domain/standard-resource-classes';
import { STANDARD_TRAITS } from '../../placement/domain/standard-traits';
import { recordBodyOf, recordOf } from '../../placement/inventories/inventories.schema';
import { MICROVERSIONS } from '../../placement/microversions';
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import { SchemaValidator } from '../../platform/http/schema-validator';
import { BODY_PREFIX, bodyFault, FIELD_RULES } from '../../platform/values/field-fault';
import { FIRST_CUSTOM_RESOURCE_CLASS_ID } from '../../platform/values/names';
import type { NameTable } from '../name-tables';
import { NAME_TABLES } from '../name-tables';
import type { ReferenceConnection } from '../reference/connection.loader';
import { ReferenceWriter } from '../reference/reference-writer';
import { createReferenceSchema, stampRevision } from '../reference/schema';
import { datetimeOf } from '../reference/times';
import type { Row } from '../rows';
import { topOf } from '../verify/broken-laws';
import { linesOf } from './lines';
import type { ConsumerRecord, HeaderRecord, NameRecord, ProviderRecord, TransferRecord } from './records';
import { isCustom, RECORD_SCHEMAS } from './records';

const REVISION = 'a082b8bb98d0';

/** Throws for the first invalid line; the message names file, line and field. */
export async function unpackJsonLines(path: string, reference: ReferenceConnection): Promise<void> {
  await createReferenceSchema(reference, REVISION);
  const unpacking = new Unpacking(new ReferenceWriter(reference));
  for await (const { number, text } of linesOf(path)) {
    try {
      await unpacking.take(parsed(text), number);
    } catch (error) {
      throw new Error(`${path}:${number}: ${messageOf(error)}`, { cause: error });
    }
  }
  try {
    await unpacking.end();
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`, { cause: error });
  }
  await stampRevision(reference, REVISION);
}

/** Consumers can be too many to keep in memory. The unique key detects a duplicate when a later batch is written. */
const messageOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return message.includes('UNIQUE constraint failed: consumers') ? 'a consumer occurs twice, here or before' : message;
};

const VALIDATORS = new Map(
  Object.entries(RECORD_SCHEMAS).map(([record, schema]) => [
    record,
    new SchemaValidator<TransferRecord>(schema, BODY_PREFIX),
  ]),
);

function parsed(text: string): TransferRecord {
  const value = JSON.parse(text) as { readonly record?: unknown } | null;
  const record = value?.record;
  const validator = typeof record === 'string' ? VALIDATORS.get(record) : undefined;
  if (validator === undefined) throw bodyFault('record', FIELD_RULES.oneOf([...VALIDATORS.keys()]));
  return validator.check(value, MICROVERSIONS.newest);
}

interface PendingProvider {
  readonly id: number;
  readonly parentId: number | null;
  readonly row: Row;
}

/** Assigns ids to names in the order of their first use. */
class Ids {
  private readonly known = new Map<string, number>();

  constructor(
    private next: number,
    given: readonly (readonly [string, number])[] = [],
  ) {
    for (const [name, id] of given) this.known.set(name, id);
  }

  has(name: string): boolean {
    return this.known.has(name);
  }

  of(name: string): number {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    if (this.known.size >= TRANSFER_LIMITS.names) throw new Error(`more than ${TRANSFER_LIMITS.names} names`);
    this.known.set(name, this.next);
    return this.next++;
  }

  entries(): readonly (readonly [string, number])[] {
    return [...this.known];
  }
}

type NamedThing = 'resource class' | 'trait';

class Unpacking {
  private header: HeaderRecord | undefined;
  private readonly classes = new Ids(
    FIRST_CUSTOM_RESOURCE_CLASS_ID,
    STANDARD_RESOURCE_CLASSES.map((name, id) => [name, id]),
  );
  private readonly traits = new Ids(
    STANDARD_TRAITS.length + 1,
    STANDARD_TRAITS.map((name, at) => [name, at + 1]),
  );
  private readonly timesOf = new Map<string, Row>();
  private readonly aggregates = new Ids(1);
  private readonly projects = new Ids(1);
  private readonly users = new Ids(1);
  private readonly types = new Ids(1);
  private readonly providerIds = new Ids(1);
  private readonly providers = new Map<number, PendingProvider>();
  /** The line on which another record first names each provider. */
  private readonly namedAt = new Map<number, number>();
  private consumers = 0;

  constructor(private readonly writer: ReferenceWriter) {}

  async take(record: TransferRecord, line: number): Promise<void> {
    switch (record.record) {
      case 'header':
        if (this.header !== undefined) throw new Error('a second header');
        this.header = record;
        return;
      case 'resource_class':
      case 'trait':
        this.takeName(record);
        return;
      case 'provider':
        return this.takeProvider(record, line);
      case 'consumer':
        return this.takeConsumer(record, line);
    }
  }

  async end(): Promise<void> {
    const { counts } = this.header ?? {};
    if (counts !== undefined && counts.providers !== this.providers.size) {
      throw new Error(`has ${this.providers.size} providers instead of ${counts.providers}: it was cut off`);
    }
    if (counts !== undefined && counts.consumers !== this.consumers) {
      throw new Error(`has ${this.consumers} consumers instead of ${counts.consumers}: it was cut off`);
    }
    for (const [id, line] of this.namedAt) {
      if (!this.providers.has(id))
        throw new Error(`line ${line} names a resource provider that the file does not have`);
    }
    await this.writeNames();
    await this.writer.insert('resource_providers', this.providerRows());
    await this.writer.flush();
  }

  private takeName({ record, name, ...times }: NameRecord): void {
    // A file can contain standard names that this release does not know.
    (record === 'resource_class' ? this.classes : this.traits).of(name);
    this.timesOf.set(`${record} ${name}`, timesRow(times));
  }

  private async takeProvider(record: ProviderRecord, line: number): Promise<void> {
    const {
      uuid,
      name,
      parent = null,
      generation = 0,
      inventories = {},
      traits = [],
      aggregates = [],
      ...times
    } = record;
    const id = this.providerIds.of(uuid);
    if (this.providers.has(id)) throw new Error(`a second resource provider ${uuid}`);
    if (this.providers.size >= TRANSFER_LIMITS.providers) throw new Error('too many resource providers');
    const parentId = parent === null ? null : this.providerAt(parent, line);
    this.providers.set(id, { id, parentId, row: { ...timesRow(times), uuid, name, generation } });
    await this.writer.insert(
      'inventories',
      Object.entries(inventories).map(([className, body]) => ({
        ...timesRow(body),
        resource_provider_id: id,
        resource_class_id: this.idOf('resource class', className),
        ...recordBodyOf(recordOf(body)),
      })),
    );
    await this.writer.insert(
      'resource_provider_traits',
      traits.map((trait) => ({ trait_id: this.idOf('trait', trait), resource_provider_id: id })),
    );
    await this.writer.insert(
      'resource_provider_aggregates',
      aggregates.map((aggregate) => ({ resource_provider_id: id, aggregate_id: this.aggregates.of(aggregate) })),
    );
  }

  private async takeConsumer(record: ConsumerRecord, line: number): Promise<void> {
    const { uuid, project, user, type = null, generation = 1, allocations, ...times } = record;
    this.consumers += 1;
    const dates = timesRow(times);
    await this.writer.insert('consumers', [
      {
        ...dates,
        uuid,
        project_id: this.projects.of(project),
        user_id: this.users.of(user),
        generation,
        consumer_type_id: type === null ? null : this.types.of(type),
      },
    ]);
    await this.writer.insert(
      'allocations',
      Object.entries(allocations).flatMap(([provider, amounts]) =>
        Object.entries(amounts).map(([className, used]) => ({
          ...dates,
          updated_at: null,
          resource_provider_id: this.providerAt(provider, line),
          consumer_id: uuid,
          resource_class_id: this.idOf('resource class', className),
          used,
        })),
      ),
    );
  }

  private providerAt(uuid: string, line: number): number {
    const id = this.providerIds.of(uuid);
    if (!this.namedAt.has(id)) this.namedAt.set(id, line);
    return id;
  }

  private idOf(thing: NamedThing, name: string): number {
    const ids = thing === 'resource class' ? this.classes : this.traits;
    if (!ids.has(name) && !isCustom(name)) throw new Error(`${name} is no known ${thing}`);
    return ids.of(name);
  }

  private async writeNames(): Promise<void> {
    const named = (table: NameTable, ids: Ids, sort?: NameRecord['record']): Promise<void> =>
      this.writer.insert(
        table,
        ids.entries().map(([name, id]) => ({
          ...timesRow({}),
          ...this.timesOf.get(`${sort} ${name}`),
          id,
          [NAME_TABLES[table].column]: name,
        })),
      );
    await named('resource_classes', this.classes, 'resource_class');
    await named('traits', this.traits, 'trait');
    await named('placement_aggregates', this.aggregates);
    await named('projects', this.projects);
    await named('users', this.users);
    await named('consumer_types', this.types);
  }

  private providerRows(): readonly Row[] {
    return [...this.providers.values()].map(({ id, parentId, row }) => ({
      ...row,
      id,
      root_provider_id: this.rootOf(id),
      parent_provider_id: parentId,
    }));
  }

  private rootOf(id: number): number {
    const root = topOf(id, (at) => this.providers.get(at)?.parentId ?? undefined, this.providers.size);
    if (root === undefined) throw new Error('parents of resource providers form a loop');
    return root;
  }
}

function timesRow(times: { readonly created_at?: number; readonly updated_at?: number | null }): Row {
  const { created_at: createdAt, updated_at: updatedAt } = times;
  return {
    created_at: createdAt === undefined ? null : datetimeOf(createdAt, 'sqlite'),
    updated_at: updatedAt === undefined || updatedAt === null ? null : datetimeOf(updatedAt, 'sqlite'),
  };
}
