// The first schema: providers with their inventories, consumers with their allocations, and the change log for readers.
// Times are milliseconds since the epoch, except in the change log, which uses seconds of the database's clock.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FIRST_CUSTOM_RESOURCE_CLASS_ID } from '../src/platform/values/names';
import type { Ddl, Index } from './ddl';
import { createTable, ddlOf, index } from './ddl';

export class Initial1700000000001 implements MigrationInterface {
  readonly name = 'Initial1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    // Every statement can be repeated: MySQL commits each DDL statement, so an interrupted migration is run again.
    for (const create of [...providerTables(ddl), ...consumerTables(ddl), ...changeLogTables(ddl)]) {
      for (const statement of create) await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...TABLES].reverse()) await runner.query(`DROP TABLE IF EXISTS ${table}`);
  }
}

const TABLES = [
  'resource_classes',
  'traits',
  'placement_aggregates',
  'resource_providers',
  'inventories',
  'resource_provider_traits',
  'resource_provider_aggregates',
  'projects',
  'users',
  'consumer_types',
  'consumers',
  'allocations',
  'writer_lanes',
  'change_log',
] as const;

const table = (ddl: Ddl, name: (typeof TABLES)[number], parts: readonly (string | Index)[]): readonly string[] =>
  createTable(ddl, name, parts);

const times = (ddl: Ddl): readonly string[] => [`created_at ${ddl.bigint} NOT NULL`, `updated_at ${ddl.bigint} NULL`];

function providerTables(ddl: Ddl): readonly (readonly string[])[] {
  return [
    // Ids of standard classes are given. Ids of custom classes are generated, start far above, and are never reused.
    table(ddl, 'resource_classes', [
      `id ${ddl.id}`,
      `name ${ddl.text(255)} NOT NULL`,
      ...times(ddl),
      'CONSTRAINT uq_resource_classes_name UNIQUE (name)',
    ]),
    ddl.startAt('resource_classes', FIRST_CUSTOM_RESOURCE_CLASS_ID),
    table(ddl, 'traits', [
      `id ${ddl.id}`,
      `name ${ddl.text(255)} NOT NULL`,
      ...times(ddl),
      'CONSTRAINT uq_traits_name UNIQUE (name)',
    ]),
    table(ddl, 'placement_aggregates', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      'CONSTRAINT uq_placement_aggregates_uuid UNIQUE (uuid)',
    ]),
    // A root is its own root. Without a foreign key: a row that refers to itself could not be deleted.
    table(ddl, 'resource_providers', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `name ${ddl.text(200)} NOT NULL`,
      `generation ${ddl.bigint} NOT NULL DEFAULT 0`,
      `root_provider_id ${ddl.ref} NULL`,
      `parent_provider_id ${ddl.ref} NULL`,
      ...times(ddl),
      'CONSTRAINT uq_resource_providers_uuid UNIQUE (uuid)',
      'CONSTRAINT uq_resource_providers_name UNIQUE (name)',
      'CONSTRAINT fk_resource_providers_parent FOREIGN KEY (parent_provider_id) REFERENCES resource_providers (id)',
      index('ix_resource_providers_root', 'root_provider_id'),
      index('ix_resource_providers_parent', 'parent_provider_id'),
    ]),
    table(ddl, 'inventories', [
      `id ${ddl.id}`,
      `resource_provider_id ${ddl.ref} NOT NULL`,
      `resource_class_id ${ddl.ref} NOT NULL`,
      `total ${ddl.bigint} NOT NULL`,
      `reserved ${ddl.bigint} NOT NULL`,
      `min_unit ${ddl.bigint} NOT NULL`,
      `max_unit ${ddl.bigint} NOT NULL`,
      `step_size ${ddl.bigint} NOT NULL`,
      `allocation_ratio ${ddl.double} NOT NULL`,
      `capacity ${ddl.bigint} NOT NULL`,
      `used ${ddl.bigint} NOT NULL DEFAULT 0`,
      `version ${ddl.bigint} NOT NULL DEFAULT 0`,
      ...times(ddl),
      'CONSTRAINT uq_inventories_provider_class UNIQUE (resource_provider_id, resource_class_id)',
      'CONSTRAINT fk_inventories_provider FOREIGN KEY (resource_provider_id) REFERENCES resource_providers (id)',
      'CONSTRAINT fk_inventories_class FOREIGN KEY (resource_class_id) REFERENCES resource_classes (id)',
      'CONSTRAINT ck_inventories_used CHECK (used >= 0)',
      index('ix_inventories_class', 'resource_class_id'),
    ]),
    table(ddl, 'resource_provider_traits', [
      `resource_provider_id ${ddl.ref} NOT NULL`,
      `trait_id ${ddl.ref} NOT NULL`,
      'PRIMARY KEY (resource_provider_id, trait_id)',
      'CONSTRAINT fk_provider_traits_provider FOREIGN KEY (resource_provider_id) REFERENCES resource_providers (id)',
      'CONSTRAINT fk_provider_traits_trait FOREIGN KEY (trait_id) REFERENCES traits (id)',
      index('ix_resource_provider_traits_trait', 'trait_id'),
    ]),
    table(ddl, 'resource_provider_aggregates', [
      `resource_provider_id ${ddl.ref} NOT NULL`,
      `aggregate_id ${ddl.ref} NOT NULL`,
      'PRIMARY KEY (resource_provider_id, aggregate_id)',
      'CONSTRAINT fk_provider_aggregates_provider FOREIGN KEY (resource_provider_id) REFERENCES resource_providers (id)',
      'CONSTRAINT fk_provider_aggregates_aggregate FOREIGN KEY (aggregate_id) REFERENCES placement_aggregates (id)',
      index('ix_provider_aggregates_aggregate', 'aggregate_id'),
    ]),
  ];
}

function consumerTables(ddl: Ddl): readonly (readonly string[])[] {
  const owner = (name: 'projects' | 'users', constraint: string): readonly string[] =>
    table(ddl, name, [
      `id ${ddl.id}`,
      `external_id ${ddl.text(255)} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      `CONSTRAINT ${constraint} UNIQUE (external_id)`,
    ]);
  return [
    owner('projects', 'uq_projects_external_id'),
    owner('users', 'uq_users_external_id'),
    table(ddl, 'consumer_types', [
      `id ${ddl.id}`,
      `name ${ddl.text(255)} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      'CONSTRAINT uq_consumer_types_name UNIQUE (name)',
    ]),
    table(ddl, 'consumers', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `generation ${ddl.bigint} NOT NULL`,
      `project_id ${ddl.ref} NOT NULL`,
      `user_id ${ddl.ref} NOT NULL`,
      `consumer_type_id ${ddl.ref} NULL`,
      ...times(ddl),
      'CONSTRAINT uq_consumers_uuid UNIQUE (uuid)',
      'CONSTRAINT fk_consumers_project FOREIGN KEY (project_id) REFERENCES projects (id)',
      'CONSTRAINT fk_consumers_user FOREIGN KEY (user_id) REFERENCES users (id)',
      'CONSTRAINT fk_consumers_type FOREIGN KEY (consumer_type_id) REFERENCES consumer_types (id)',
      index('ix_consumers_owner', 'project_id, user_id'),
    ]),
    // An allocation cannot exist without its inventory record and its consumer.
    table(ddl, 'allocations', [
      `consumer_id ${ddl.ref} NOT NULL`,
      `resource_provider_id ${ddl.ref} NOT NULL`,
      `resource_class_id ${ddl.ref} NOT NULL`,
      `used ${ddl.bigint} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      'PRIMARY KEY (consumer_id, resource_provider_id, resource_class_id)',
      'CONSTRAINT fk_allocations_consumer FOREIGN KEY (consumer_id) REFERENCES consumers (id)',
      'CONSTRAINT fk_allocations_inventory FOREIGN KEY (resource_provider_id, resource_class_id) ' +
        'REFERENCES inventories (resource_provider_id, resource_class_id)',
      'CONSTRAINT ck_allocations_used CHECK (used >= 1)',
      index('ix_allocations_inventory', 'resource_provider_id, resource_class_id'),
    ]),
  ];
}

function changeLogTables(ddl: Ddl): readonly (readonly string[])[] {
  return [
    table(ddl, 'writer_lanes', [
      `id ${ddl.id}`,
      `process ${ddl.text(255)} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      `renewed_at ${ddl.bigint} NOT NULL`,
    ]),
    table(ddl, 'change_log', [
      `lane ${ddl.ref} NOT NULL`,
      `seq ${ddl.bigint} NOT NULL`,
      'kind smallint NOT NULL',
      `ref_id ${ddl.ref} NOT NULL`,
      `resource_provider_id ${ddl.ref} NOT NULL`,
      `used ${ddl.bigint} NULL`,
      `version ${ddl.bigint} NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      'PRIMARY KEY (lane, seq, kind, ref_id)',
      'CONSTRAINT fk_change_log_lane FOREIGN KEY (lane) REFERENCES writer_lanes (id)',
      index('ix_change_log_created_at', 'created_at'),
    ]),
  ];
}
