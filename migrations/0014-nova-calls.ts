// Calls of nova whose answer is not known to have arrived. A row exists from before the first claim until the answer is
// delivered. Its document names the instances with their allocations before the call. Times are seconds since the epoch by
// the database's clock.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf } from './ddl';

export class NovaCalls1700000000014 implements MigrationInterface {
  readonly name = 'NovaCalls1700000000014';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const statements = createTable(ddl, 'nova_calls', [
      `id ${ddl.id}`,
      `uuid ${ddl.uuid} NOT NULL`,
      `request_id ${ddl.text(255)} NOT NULL`,
      // The row is judged after this time.
      `judge_at ${ddl.bigint} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      `document ${ddl.document} NOT NULL`,
      'CONSTRAINT uq_nova_calls_uuid UNIQUE (uuid)',
    ]);
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS nova_calls');
  }
}
