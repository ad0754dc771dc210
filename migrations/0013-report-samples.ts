// Samples of the cloud for its history: one row for each interval, for a bounded time. The row of registry_locks makes one
// process at a time write it. The time is milliseconds since the epoch.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf } from './ddl';

export class ReportSamples1700000000013 implements MigrationInterface {
  readonly name = 'ReportSamples1700000000013';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const statements = createTable(ddl, 'report_samples', [
      `id ${ddl.id}`,
      `sampled_at ${ddl.bigint} NOT NULL`,
      // Requests of the interval before.
      `placed ${ddl.bigint} NOT NULL`,
      `refused ${ddl.bigint} NOT NULL`,
      // JSON: hosts, instances and amounts by resource class.
      `document ${ddl.document} NOT NULL`,
      'CONSTRAINT uq_report_samples_sampled_at UNIQUE (sampled_at)',
    ]);
    for (const statement of statements) await runner.query(statement);
    await runner.query(
      "INSERT INTO registry_locks (name, version) SELECT 'samples', 0 FROM (SELECT 1 AS one) AS lone " +
        "WHERE NOT EXISTS (SELECT 1 FROM registry_locks WHERE name = 'samples')",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM registry_locks WHERE name = 'samples'");
    await runner.query('DROP TABLE IF EXISTS report_samples');
  }
}
