// Imports from another placement service, started and finished. An interrupted import can thus resume despite its own
// rows. Times are milliseconds since the epoch.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf } from './ddl';

export class Imports1700000000008 implements MigrationInterface {
  readonly name = 'Imports1700000000008';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const statements = createTable(ddl, 'imports', [
      `id ${ddl.id}`,
      // URL or path without a password.
      `source ${ddl.text(1000)} NOT NULL`,
      `mode ${ddl.text(16)} NOT NULL`,
      `started_at ${ddl.bigint} NOT NULL`,
      `finished_at ${ddl.bigint} NULL`,
    ]);
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS imports');
  }
}
