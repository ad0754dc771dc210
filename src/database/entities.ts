// The tables as TypeORM knows them. Migrations create them; a test compares the two. Repositories speak SQL.
import { EntitySchema } from 'typeorm';
import type { EntitySchemaColumnOptions } from 'typeorm';

const ID: EntitySchemaColumnOptions = { type: 'integer', primary: true, generated: 'increment' };
const REF: EntitySchemaColumnOptions = { type: 'integer' };
const COUNT: EntitySchemaColumnOptions = { type: 'bigint' };
const TEXT: EntitySchemaColumnOptions = { type: 'varchar' };
const nullable = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({ ...column, nullable: true });
const primary = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({ ...column, primary: true });
const TIMES = { created_at: COUNT, updated_at: nullable(COUNT) };

function entity(name: string, columns: Record<string, EntitySchemaColumnOptions>): EntitySchema {
  return new EntitySchema({ name, tableName: name, columns });
}

export const ENTITIES: readonly EntitySchema[] = [
  entity('resource_classes', { id: ID, name: TEXT, ...TIMES }),
  entity('traits', { id: ID, name: TEXT, ...TIMES }),
  entity('placement_aggregates', { id: ID, uuid: TEXT, created_at: COUNT }),
  entity('resource_providers', {
    id: ID,
    uuid: TEXT,
    name: TEXT,
    generation: COUNT,
    root_provider_id: nullable(REF),
    parent_provider_id: nullable(REF),
    ...TIMES,
  }),
  entity('inventories', {
    id: ID,
    resource_provider_id: REF,
    resource_class_id: REF,
    total: COUNT,
    reserved: COUNT,
    min_unit: COUNT,
    max_unit: COUNT,
    step_size: COUNT,
    allocation_ratio: { type: 'double' },
    capacity: COUNT,
    used: COUNT,
    version: COUNT,
    ...TIMES,
  }),
  entity('resource_provider_traits', { resource_provider_id: primary(REF), trait_id: primary(REF) }),
  entity('resource_provider_aggregates', { resource_provider_id: primary(REF), aggregate_id: primary(REF) }),
  entity('projects', { id: ID, external_id: TEXT, created_at: COUNT }),
  entity('users', { id: ID, external_id: TEXT, created_at: COUNT }),
  entity('consumer_types', { id: ID, name: TEXT, created_at: COUNT }),
  entity('consumers', {
    id: ID,
    uuid: TEXT,
    generation: COUNT,
    project_id: REF,
    user_id: REF,
    consumer_type_id: nullable(REF),
    ...TIMES,
  }),
  entity('allocations', {
    consumer_id: primary(REF),
    resource_provider_id: primary(REF),
    resource_class_id: primary(REF),
    used: COUNT,
    created_at: COUNT,
  }),
  entity('writer_lanes', { id: ID, process: TEXT, created_at: COUNT, renewed_at: COUNT }),
  entity('change_log', {
    lane: primary(REF),
    seq: primary(COUNT),
    kind: primary({ type: 'smallint' }),
    ref_id: primary(REF),
    resource_provider_id: REF,
    used: nullable(COUNT),
    version: nullable(COUNT),
    created_at: COUNT,
  }),
];
