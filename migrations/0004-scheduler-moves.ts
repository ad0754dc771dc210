// Moves that are neither confirmed nor reverted: the source of each instance, and the consumer that holds its
// allocations there. Times are milliseconds since the epoch.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf } from './ddl';

export class SchedulerMoves1700000000004 implements MigrationInterface {
  readonly name = 'SchedulerMoves1700000000004';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const moves = createTable(ddl, 'scheduler_moves', [
      `id ${ddl.id}`,
      `instance_uuid ${ddl.uuid} NOT NULL`,
      `migration_uuid ${ddl.uuid} NOT NULL`,
      `type ${ddl.text(32)} NOT NULL`,
      `source ${ddl.document} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      'CONSTRAINT uq_scheduler_moves_instance UNIQUE (instance_uuid)',
      'CONSTRAINT uq_scheduler_moves_migration UNIQUE (migration_uuid)',
    ]);
    for (const statement of moves) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS scheduler_moves');
  }
}
