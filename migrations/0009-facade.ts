// What the facade keeps beside the registries: what the Image API knows of an image and scheduling does not ask. Times are
// milliseconds since the epoch.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf, index } from './ddl';
import type { Ddl } from './ddl';

export class Facade1700000000009 implements MigrationInterface {
  readonly name = 'Facade1700000000009';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    for (const create of [...imageTables(ddl)]) {
      for (const statement of create) await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of [...TABLES].reverse()) await runner.query(`DROP TABLE IF EXISTS ${name}`);
  }
}

/** Those that others refer to first. */
const TABLES = ['facade_images'] as const;

const imageTables = (ddl: Ddl): readonly (readonly string[])[] => [
  // Of images that were made by the Image API; gone with the image.
  createTable(ddl, 'facade_images', [
    `image_uuid ${ddl.uuid} NOT NULL`,
    `owner ${ddl.text(255)} NULL`,
    // public, community, shared or private
    `visibility ${ddl.text(16)} NOT NULL`,
    `container_format ${ddl.text(64)} NULL`,
    `min_disk_gb ${ddl.bigint} NOT NULL`,
    `min_ram_mb ${ddl.bigint} NOT NULL`,
    `protected smallint NOT NULL`,
    // JSON: a list of texts
    `tags ${ddl.document} NOT NULL`,
    // Of the data that was uploaded, and not kept; null: none was.
    `size_bytes ${ddl.bigint} NULL`,
    `md5 ${ddl.text(32)} NULL`,
    `sha512 ${ddl.text(128)} NULL`,
    'PRIMARY KEY (image_uuid)',
    'CONSTRAINT fk_facade_images_image FOREIGN KEY (image_uuid) REFERENCES images (uuid) ON DELETE CASCADE',
    index('ix_facade_images_owner', 'owner'),
  ]),
];
