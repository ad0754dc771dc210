// A column that is raised by whoever must be alone with a provider's row and has nothing else to write there: a lock that
// only reads is known to one database server, and several may write.
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
