// Plans of moves and the outcomes of their moves, for a week. The time is milliseconds since the epoch.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf, index } from './ddl';

export class Plans1700000000019 implements MigrationInterface {
  readonly name = 'Plans1700000000019';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const statements = createTable(ddl, 'scheduler_plans', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `request_id ${ddl.text(255)} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      // JSON: what the list shows, the plan, and the outcomes by the numbers of its moves.
      ...['head', 'document', 'outcomes'].map((name) => `${name} ${ddl.document} NOT NULL`),
      'CONSTRAINT uq_scheduler_plans_uuid UNIQUE (uuid)',
      index('ix_scheduler_plans_created_at', 'created_at'),
    ]);
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS scheduler_plans');
  }
}
