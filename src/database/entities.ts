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

const FLAG: EntitySchemaColumnOptions = { type: 'smallint' };
const GENERATION = { generation: COUNT };

/** The registries of the scheduler. */
const SCHEDULER_ENTITIES: readonly EntitySchema[] = [
  entity('registry_locks', { name: primary(TEXT), version: COUNT }),
  entity('scheduler_services', {
    id: ID,
    host: TEXT,
    disabled: FLAG,
    disabled_reason: nullable(TEXT),
    forced_down: FLAG,
    last_seen_up: nullable(COUNT),
    ...GENERATION,
    ...TIMES,
  }),
  entity('scheduler_hosts', {
    id: ID,
    service_id: REF,
    node: TEXT,
    uuid: nullable(TEXT),
    mirrored_provider_id: nullable(REF),
    cell: nullable(TEXT),
    service_version: COUNT,
    report: TEXT,
    report_digest: TEXT,
    reported_at: COUNT,
    ...GENERATION,
    ...TIMES,
  }),
  entity('host_aggregates', { id: ID, uuid: TEXT, name: TEXT, ...GENERATION, ...TIMES }),
  entity('host_aggregate_metadata', { aggregate_id: primary(REF), name: primary(TEXT), value: TEXT }),
  entity('host_aggregate_hosts', { aggregate_id: primary(REF), host: primary(TEXT) }),
  entity('server_groups', {
    id: ID,
    uuid: TEXT,
    name: TEXT,
    project_id: nullable(TEXT),
    user_id: nullable(TEXT),
    policy: TEXT,
    max_server_per_host: nullable(COUNT),
    ...GENERATION,
    version: COUNT,
    ...TIMES,
  }),
  entity('server_group_members', {
    group_id: primary(REF),
    instance_uuid: primary(TEXT),
    host: nullable(TEXT),
    created_at: COUNT,
  }),
  entity('flavors', {
    id: ID,
    flavor_id: TEXT,
    name: TEXT,
    vcpus: COUNT,
    memory_mb: COUNT,
    root_gb: COUNT,
    ephemeral_gb: COUNT,
    swap_mb: COUNT,
    extra_specs: TEXT,
    ...GENERATION,
    ...TIMES,
  }),
  entity('images', {
    id: ID,
    uuid: TEXT,
    name: nullable(TEXT),
    disk_format: nullable(TEXT),
    properties: TEXT,
    ...GENERATION,
    ...TIMES,
  }),
  entity('scheduler_instances', {
    id: ID,
    uuid: TEXT,
    host: TEXT,
    node: TEXT,
    host_uuid: TEXT,
    cell: nullable(TEXT),
    project_id: TEXT,
    user_id: TEXT,
    flavor: TEXT,
    flavor_id: nullable(TEXT),
    image: nullable(TEXT),
    image_uuid: nullable(TEXT),
    group_uuid: nullable(TEXT),
    request_id: TEXT,
    is_bfv: FLAG,
    numa_topology: nullable(TEXT),
    pci_requests: nullable(TEXT),
    state: TEXT,
    attempts: COUNT,
    alternates: TEXT,
    tried: TEXT,
    request: TEXT,
    listed_at: nullable(COUNT),
    ...TIMES,
  }),
  entity('scheduler_releases', {
    id: ID,
    uuid: TEXT,
    host: TEXT,
    node: TEXT,
    flavor: TEXT,
    is_bfv: FLAG,
    numa_topology: nullable(TEXT),
    pci_requests: nullable(TEXT),
    released_at: COUNT,
  }),
];

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
  ...SCHEDULER_ENTITIES,
];
