// The name of an instance, as its request or the Compute API gave it. NULL: the request named none, or an earlier
// release wrote the row. Lists search names by the index.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ddlOf } from './ddl';

const TABLE = 'scheduler_instances';
const INDEX = 'ix_scheduler_instances_name';

export class InstanceNames1700000000012 implements MigrationInterface {
  readonly name = 'InstanceNames1700000000012';

  async up(runner: QueryRunner): Promise<void> {
    const { text } = await ddlOf(runner);
    // The migration must be repeatable, and MySQL has no IF NOT EXISTS for columns and indexes.
    if (!(await runner.hasColumn(TABLE, 'name'))) {
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN name ${text(255)} NULL`);
    }
    const table = await runner.getTable(TABLE);
    if (table?.indices.every(({ name }) => name !== INDEX) === true) {
      await runner.query(`CREATE INDEX ${INDEX} ON ${TABLE} (name)`);
    }
    await runner.query(
      `UPDATE ${TABLE} SET name = (SELECT s.name FROM facade_servers s WHERE s.uuid = ${TABLE}.uuid) ` +
        `WHERE name IS NULL AND uuid IN (SELECT uuid FROM facade_servers)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable(TABLE);
    if (table?.indices.some(({ name }) => name === INDEX) === true) {
      const on = runner.dataSource.options.type === 'mysql' ? ` ON ${TABLE}` : '';
      await runner.query(`DROP INDEX ${INDEX}${on}`);
    }
    if (await runner.hasColumn(TABLE, 'name')) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN name`);
  }
}
