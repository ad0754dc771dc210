// Which resource providers a compute host reported: 0 none did, 1 one did at least once, 2 its report also created it.
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'resource_providers';

export class ReportedProviders1700000000016 implements MigrationInterface {
  readonly name = 'ReportedProviders1700000000016';

  async up(runner: QueryRunner): Promise<void> {
    // The migration must be repeatable, and MySQL has no IF NOT EXISTS for columns.
    if (!(await runner.hasColumn(TABLE, 'reported'))) {
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN reported integer NOT NULL DEFAULT 0`);
    }
    const known = 'SELECT mirrored_provider_id FROM scheduler_hosts WHERE mirrored_provider_id IS NOT NULL';
    await runner.query(`UPDATE ${TABLE} SET reported = 1 WHERE reported = 0 AND id IN (${known})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, 'reported')) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN reported`);
  }
}
