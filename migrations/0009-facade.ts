// Data of the facade that is not in the registries: attributes of images, flavors and servers that the Image and
// Compute APIs show and scheduling does not read. Times are milliseconds since the epoch.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Ddl } from './ddl';
import { createTable, ddlOf, index } from './ddl';

export class Facade1700000000009 implements MigrationInterface {
  readonly name = 'Facade1700000000009';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    for (const create of [...imageTables(ddl), ...computeTables(ddl)]) {
      for (const statement of create) await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of [...TABLES].reverse()) await runner.query(`DROP TABLE IF EXISTS ${name}`);
  }
}

/** Referenced tables first. */
const TABLES = [
  'facade_images',
  'facade_flavors',
  'facade_flavor_access',
  'facade_servers',
  'facade_server_actions',
] as const;

const imageTables = (ddl: Ddl): readonly (readonly string[])[] => [
  // Images that were created through the Image API; deleted with the image.
  createTable(ddl, 'facade_images', [
    `image_uuid ${ddl.uuid} NOT NULL`,
    `owner ${ddl.text(255)} NULL`,
    // public, community, shared or private
    `visibility ${ddl.text(16)} NOT NULL`,
    `container_format ${ddl.text(64)} NULL`,
    `min_disk_gb ${ddl.bigint} NOT NULL`,
    `min_ram_mb ${ddl.bigint} NOT NULL`,
    `protected smallint NOT NULL`,
    // JSON: a list of texts.
    `tags ${ddl.document} NOT NULL`,
    // Of the uploaded data, which is not stored; NULL: no data was uploaded.
    `size_bytes ${ddl.bigint} NULL`,
    `md5 ${ddl.text(32)} NULL`,
    `sha512 ${ddl.text(128)} NULL`,
    'PRIMARY KEY (image_uuid)',
    'CONSTRAINT fk_facade_images_image FOREIGN KEY (image_uuid) REFERENCES images (uuid) ON DELETE CASCADE',
    index('ix_facade_images_owner', 'owner'),
  ]),
];

const computeTables = (ddl: Ddl): readonly (readonly string[])[] => [
  // Flavors that were created through the Compute API; deleted with the flavor.
  createTable(ddl, 'facade_flavors', [
    `flavor_id ${ddl.text(255)} NOT NULL`,
    'is_public smallint NOT NULL',
    `description ${ddl.document} NULL`,
    'PRIMARY KEY (flavor_id)',
    'CONSTRAINT fk_facade_flavors_flavor FOREIGN KEY (flavor_id) REFERENCES flavors (flavor_id) ON DELETE CASCADE',
  ]),
  createTable(ddl, 'facade_flavor_access', [
    `flavor_id ${ddl.text(255)} NOT NULL`,
    `project_id ${ddl.text(255)} NOT NULL`,
    'PRIMARY KEY (flavor_id, project_id)',
    'CONSTRAINT fk_facade_flavor_access_flavor FOREIGN KEY (flavor_id) REFERENCES flavors (flavor_id) ON DELETE CASCADE',
    index('ix_facade_flavor_access_project', 'project_id'),
  ]),
  // Data of a server apart from its instance record; the registry of instances has its host. Flavor and request are
  // stored as documents, because the rows that they name can be deleted.
  createTable(ddl, 'facade_servers', [
    `id ${ddl.id}`,
    `uuid ${ddl.uuid} NOT NULL`,
    `name ${ddl.text(255)} NOT NULL`,
    `project_id ${ddl.text(255)} NOT NULL`,
    `user_id ${ddl.text(255)} NOT NULL`,
    `vm_state ${ddl.text(32)} NOT NULL`,
    `task_state ${ddl.text(32)} NULL`,
    `flavor ${ddl.document} NOT NULL`,
    `old_flavor ${ddl.document} NULL`,
    `image_uuid ${ddl.uuid} NULL`,
    `request ${ddl.document} NOT NULL`,
    `metadata ${ddl.document} NOT NULL`,
    `details ${ddl.document} NOT NULL`,
    `fault ${ddl.document} NULL`,
    `launched_at ${ddl.bigint} NULL`,
    `created_at ${ddl.bigint} NOT NULL`,
    `updated_at ${ddl.bigint} NULL`,
    'CONSTRAINT uq_facade_servers_uuid UNIQUE (uuid)',
    index('ix_facade_servers_project', 'project_id'),
  ]),
  // The newest actions on a server.
  createTable(ddl, 'facade_server_actions', [
    `id ${ddl.id}`,
    `server_uuid ${ddl.uuid} NOT NULL`,
    `request_id ${ddl.text(255)} NOT NULL`,
    `action ${ddl.text(64)} NOT NULL`,
    `user_id ${ddl.text(255)} NOT NULL`,
    `project_id ${ddl.text(255)} NOT NULL`,
    `started_at ${ddl.bigint} NOT NULL`,
    `finished_at ${ddl.bigint} NULL`,
    // The reason for a failure, as text for people; NULL: the action succeeded.
    `message ${ddl.document} NULL`,
    `details ${ddl.document} NULL`,
    `host ${ddl.text(255)} NULL`,
    'CONSTRAINT fk_facade_server_actions_server FOREIGN KEY (server_uuid) REFERENCES facade_servers (uuid) ' +
      'ON DELETE CASCADE',
    index('ix_facade_server_actions_server', 'server_uuid, id'),
  ]),
];
