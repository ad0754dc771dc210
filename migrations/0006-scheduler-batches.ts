// Batches that need several transactions. The row exists from before the first claim until the last one. If its owner
// dies, another process rolls the batch back. Leases are seconds since the epoch by the database's clock. The mark on
// instances identifies the claims of a batch.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf } from './ddl';

const MARK = 'batch_uuid';
const INDEX = 'ix_scheduler_instances_batch';

export class SchedulerBatches1700000000006 implements MigrationInterface {
  readonly name = 'SchedulerBatches1700000000006';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const batches = createTable(ddl, 'scheduler_batches', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `owner ${ddl.uuid} NOT NULL`,
      `request_id ${ddl.text(255)} NOT NULL`,
      `lease_until ${ddl.bigint} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      'CONSTRAINT uq_scheduler_batches_uuid UNIQUE (uuid)',
    ]);
    for (const statement of batches) await runner.query(statement);
    // The migration must be repeatable, and MySQL has no IF NOT EXISTS for columns and indexes.
    if (await runner.hasColumn('scheduler_instances', MARK)) return;
    if (ddl.inlineIndexes) {
      await runner.query(
        `ALTER TABLE scheduler_instances ADD COLUMN ${MARK} ${ddl.uuid} NULL, ADD INDEX ${INDEX} (${MARK})`,
      );
      return;
    }
    await runner.query(`ALTER TABLE scheduler_instances ADD COLUMN ${MARK} ${ddl.uuid} NULL`);
    await runner.query(`CREATE INDEX ${INDEX} ON scheduler_instances (${MARK})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS scheduler_batches');
    const ddl = await ddlOf(runner);
    await runner.query(ddl.inlineIndexes ? `DROP INDEX ${INDEX} ON scheduler_instances` : `DROP INDEX ${INDEX}`);
    await runner.query(`ALTER TABLE scheduler_instances DROP COLUMN ${MARK}`);
  }
}
