// A column that a write can change only to lock a provider's row. A read lock is local to one database server, and in a
// cluster several servers can write.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ddlOf } from './ddl';

const TABLE = 'resource_providers';
const COLUMN = 'holds';

export class Holds1700000000005 implements MigrationInterface {
  readonly name = 'Holds1700000000005';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) return;
    const { bigint } = await ddlOf(runner);
    await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} ${bigint} NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
