// The registries of the scheduler: hosts and their services, host aggregates, server groups, flavors, images, and
// placed instances. Times are milliseconds since the epoch. Documents are JSON as clients sent it.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Ddl, Index } from './ddl';
import { createTable, ddlOf, index } from './ddl';

export class Scheduler1700000000002 implements MigrationInterface {
  readonly name = 'Scheduler1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    for (const create of [...hostTables(ddl), ...definitionTables(ddl), ...placedTables(ddl)]) {
      for (const statement of create) await runner.query(statement);
    }
    for (const name of LOCKS) {
      await runner.query(
        `INSERT INTO registry_locks (name, version) SELECT '${name}', 0 FROM (SELECT 1 AS one) AS lone ` +
          `WHERE NOT EXISTS (SELECT 1 FROM registry_locks WHERE name = '${name}')`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...TABLES].reverse()) await runner.query(`DROP TABLE IF EXISTS ${table}`);
  }
}

/** Lock rows for rules that span several rows: a host is in at most one availability zone, across all aggregates. */
const LOCKS = ['host_aggregates'] as const;

const TABLES = [
  'registry_locks',
  'scheduler_services',
  'scheduler_hosts',
  'host_aggregates',
  'host_aggregate_metadata',
  'host_aggregate_hosts',
  'server_groups',
  'server_group_members',
  'flavors',
  'images',
  'scheduler_instances',
  'scheduler_releases',
] as const;

const table = (ddl: Ddl, name: (typeof TABLES)[number], parts: readonly (string | Index)[]): readonly string[] =>
  createTable(ddl, name, parts);

const times = (ddl: Ddl): readonly string[] => [`created_at ${ddl.bigint} NOT NULL`, `updated_at ${ddl.bigint} NULL`];
const generation = (ddl: Ddl): string => `generation ${ddl.bigint} NOT NULL DEFAULT 0`;

function hostTables(ddl: Ddl): readonly (readonly string[])[] {
  return [
    table(ddl, 'registry_locks', [
      `name ${ddl.text(64)} NOT NULL`,
      `version ${ddl.bigint} NOT NULL`,
      'PRIMARY KEY (name)',
    ]),
    table(ddl, 'scheduler_services', [
      `id ${ddl.id}`,
      `host ${ddl.text(255)} NOT NULL`,
      'disabled smallint NOT NULL DEFAULT 0',
      `disabled_reason ${ddl.text(255)} NULL`,
      'forced_down smallint NOT NULL DEFAULT 0',
      `last_seen_up ${ddl.bigint} NULL`,
      generation(ddl),
      ...times(ddl),
      'CONSTRAINT uq_scheduler_services_host UNIQUE (host)',
    ]),
    // mirrored_provider_id: the root provider that has received the service's status and the host's aggregates. No
    // foreign key: a provider can be deleted at any time, and ids are never reused.
    table(ddl, 'scheduler_hosts', [
      `id ${ddl.id}`,
      `service_id ${ddl.ref} NOT NULL`,
      `node ${ddl.text(255)} NOT NULL`,
      `uuid ${ddl.uuid} NULL`,
      `mirrored_provider_id ${ddl.ref} NULL`,
      `cell ${ddl.text(255)} NULL`,
      `service_version ${ddl.bigint} NOT NULL DEFAULT 0`,
      `report ${ddl.document} NOT NULL`,
      `report_digest ${ddl.text(64)} NOT NULL`,
      `reported_at ${ddl.bigint} NOT NULL`,
      generation(ddl),
      ...times(ddl),
      'CONSTRAINT uq_scheduler_hosts_node UNIQUE (service_id, node)',
      'CONSTRAINT uq_scheduler_hosts_uuid UNIQUE (uuid)',
      'CONSTRAINT fk_scheduler_hosts_service FOREIGN KEY (service_id) REFERENCES scheduler_services (id)',
    ]),
    table(ddl, 'host_aggregates', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `name ${ddl.text(255)} NOT NULL`,
      generation(ddl),
      ...times(ddl),
      'CONSTRAINT uq_host_aggregates_uuid UNIQUE (uuid)',
      'CONSTRAINT uq_host_aggregates_name UNIQUE (name)',
    ]),
    table(ddl, 'host_aggregate_metadata', [
      `aggregate_id ${ddl.ref} NOT NULL`,
      `name ${ddl.text(255)} NOT NULL`,
      `value ${ddl.text(255)} NOT NULL`,
      'PRIMARY KEY (aggregate_id, name)',
      'CONSTRAINT fk_aggregate_metadata_aggregate FOREIGN KEY (aggregate_id) REFERENCES host_aggregates (id)',
      index('ix_aggregate_metadata_name', 'name, value'),
    ]),
    table(ddl, 'host_aggregate_hosts', [
      `aggregate_id ${ddl.ref} NOT NULL`,
      `host ${ddl.text(255)} NOT NULL`,
      'PRIMARY KEY (aggregate_id, host)',
      'CONSTRAINT fk_aggregate_hosts_aggregate FOREIGN KEY (aggregate_id) REFERENCES host_aggregates (id)',
      index('ix_aggregate_hosts_host', 'host'),
    ]),
  ];
}

function definitionTables(ddl: Ddl): readonly (readonly string[])[] {
  return [
    // version: incremented by every claim for the group, which serialises them; generation: by writes of clients.
    table(ddl, 'server_groups', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `name ${ddl.text(255)} NOT NULL`,
      `project_id ${ddl.text(255)} NULL`,
      `user_id ${ddl.text(255)} NULL`,
      `policy ${ddl.text(32)} NOT NULL`,
      `max_server_per_host ${ddl.bigint} NULL`,
      generation(ddl),
      `version ${ddl.bigint} NOT NULL DEFAULT 0`,
      ...times(ddl),
      'CONSTRAINT uq_server_groups_uuid UNIQUE (uuid)',
      index('ix_server_groups_project', 'project_id'),
    ]),
    table(ddl, 'server_group_members', [
      `group_id ${ddl.ref} NOT NULL`,
      `instance_uuid ${ddl.uuid} NOT NULL`,
      `host ${ddl.text(255)} NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      'PRIMARY KEY (group_id, instance_uuid)',
      'CONSTRAINT fk_server_group_members_group FOREIGN KEY (group_id) REFERENCES server_groups (id)',
      index('ix_server_group_members_instance', 'instance_uuid'),
    ]),
    table(ddl, 'flavors', [
      `id ${ddl.id}`,
      `flavor_id ${ddl.text(255)} NOT NULL`,
      `name ${ddl.text(255)} NOT NULL`,
      `vcpus ${ddl.bigint} NOT NULL`,
      `memory_mb ${ddl.bigint} NOT NULL`,
      `root_gb ${ddl.bigint} NOT NULL`,
      `ephemeral_gb ${ddl.bigint} NOT NULL`,
      `swap_mb ${ddl.bigint} NOT NULL`,
      `extra_specs ${ddl.document} NOT NULL`,
      generation(ddl),
      ...times(ddl),
      'CONSTRAINT uq_flavors_flavor_id UNIQUE (flavor_id)',
      'CONSTRAINT uq_flavors_name UNIQUE (name)',
    ]),
    table(ddl, 'images', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `name ${ddl.text(255)} NULL`,
      `disk_format ${ddl.text(64)} NULL`,
      `properties ${ddl.document} NOT NULL`,
      generation(ddl),
      ...times(ddl),
      'CONSTRAINT uq_images_uuid UNIQUE (uuid)',
      index('ix_images_name', 'name'),
    ]),
  ];
}

function placedTables(ddl: Ddl): readonly (readonly string[])[] {
  return [
    // listed_at: time of the first report that listed the instance; NULL means pending. A referenced flavor or image
    // cannot be deleted. The host is only a name, because a claim does not lock the host's service.
    table(ddl, 'scheduler_instances', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `host ${ddl.text(255)} NOT NULL`,
      `node ${ddl.text(255)} NOT NULL`,
      `host_uuid ${ddl.uuid} NOT NULL`,
      `cell ${ddl.text(255)} NULL`,
      `project_id ${ddl.text(255)} NOT NULL`,
      `user_id ${ddl.text(255)} NOT NULL`,
      `flavor ${ddl.document} NOT NULL`,
      `flavor_id ${ddl.text(255)} NULL`,
      `image ${ddl.document} NULL`,
      `image_uuid ${ddl.uuid} NULL`,
      `group_uuid ${ddl.uuid} NULL`,
      `request_id ${ddl.text(255)} NOT NULL`,
      'is_bfv smallint NOT NULL DEFAULT 0',
      `numa_topology ${ddl.document} NULL`,
      `pci_requests ${ddl.document} NULL`,
      `state ${ddl.text(32)} NOT NULL`,
      `attempts ${ddl.bigint} NOT NULL DEFAULT 1`,
      `alternates ${ddl.document} NOT NULL`,
      `tried ${ddl.document} NOT NULL`,
      `request ${ddl.document} NOT NULL`,
      `listed_at ${ddl.bigint} NULL`,
      ...times(ddl),
      'CONSTRAINT uq_scheduler_instances_uuid UNIQUE (uuid)',
      'CONSTRAINT fk_scheduler_instances_flavor FOREIGN KEY (flavor_id) REFERENCES flavors (flavor_id)',
      'CONSTRAINT fk_scheduler_instances_image FOREIGN KEY (image_uuid) REFERENCES images (uuid)',
      index('ix_scheduler_instances_host', 'host, node'),
      index('ix_scheduler_instances_flavor', 'flavor_id'),
      index('ix_scheduler_instances_image', 'image_uuid'),
      index('ix_scheduler_instances_group', 'group_uuid'),
      index('ix_scheduler_instances_project', 'project_id'),
    ]),
    // Instances that the last report of a host still lists although Berth has released them since.
    table(ddl, 'scheduler_releases', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `host ${ddl.text(255)} NOT NULL`,
      `node ${ddl.text(255)} NOT NULL`,
      `flavor ${ddl.document} NOT NULL`,
      'is_bfv smallint NOT NULL DEFAULT 0',
      `numa_topology ${ddl.document} NULL`,
      `pci_requests ${ddl.document} NULL`,
      `released_at ${ddl.bigint} NOT NULL`,
      'CONSTRAINT uq_scheduler_releases_uuid UNIQUE (uuid, host, node)',
      index('ix_scheduler_releases_host', 'host, node'),
    ]),
  ];
}
