// When the last report of a compute host was refused, and why. Columns of the service, because a report that is refused
// changes nothing else.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ddlOf } from './ddl';

const TABLE = 'scheduler_services';

export class RefusedReports1700000000017 implements MigrationInterface {
  readonly name = 'RefusedReports1700000000017';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    // The migration must be repeatable, and MySQL has no IF NOT EXISTS for columns.
    for (const [column, type] of [
      ['refused_at', ddl.bigint],
      ['refusal', ddl.text(1_000)],
    ] as const) {
      if (await runner.hasColumn(TABLE, column)) continue;
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${column} ${type} NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['refused_at', 'refusal']) {
      if (await runner.hasColumn(TABLE, column)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${column}`);
    }
  }
}
