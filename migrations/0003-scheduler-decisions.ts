// Decisions of the scheduler: compressed documents and the columns to search them by. Times are milliseconds since the
// epoch. No foreign keys: rows are deleted in bulk, from both tables by the same ids.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf, index } from './ddl';

export class SchedulerDecisions1700000000003 implements MigrationInterface {
  readonly name = 'SchedulerDecisions1700000000003';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const decisions = createTable(ddl, 'scheduler_decisions', [
      `id ${ddl.id}`,
      `request_id ${ddl.text(255)} NOT NULL`,
      `at ${ddl.bigint} NOT NULL`,
      `outcome ${ddl.text(32)} NOT NULL`,
      `code ${ddl.text(64)} NULL`,
      `project_id ${ddl.text(255)} NULL`,
      `num_instances ${ddl.bigint} NOT NULL`,
      `sentence ${ddl.document} NOT NULL`,
      `document ${ddl.document} NOT NULL`,
      `bytes ${ddl.bigint} NOT NULL`,
      index('ix_scheduler_decisions_request', 'request_id'),
      index('ix_scheduler_decisions_at', 'at'),
      index('ix_scheduler_decisions_outcome', 'outcome, id'),
    ]);
    // Subjects of a decision: kind is 'instance' or 'host'.
    const subjects = createTable(ddl, 'scheduler_decision_subjects', [
      `decision_id ${ddl.ref} NOT NULL`,
      `kind ${ddl.text(16)} NOT NULL`,
      `name ${ddl.text(255)} NOT NULL`,
      'PRIMARY KEY (decision_id, kind, name)',
      index('ix_decision_subjects_name', 'kind, name, decision_id'),
    ]);
    for (const statement of [...decisions, ...subjects]) await runner.query(statement);
    // The process that updates this row trims the decisions; its version is the time of the last round.
    await runner.query(
      "INSERT INTO registry_locks (name, version) SELECT 'decisions', 0 FROM (SELECT 1 AS one) AS lone " +
        "WHERE NOT EXISTS (SELECT 1 FROM registry_locks WHERE name = 'decisions')",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS scheduler_decision_subjects');
    await runner.query('DROP TABLE IF EXISTS scheduler_decisions');
    await runner.query("DELETE FROM registry_locks WHERE name = 'decisions'");
  }
}
