// Claims that are sent to a Placement service elsewhere. A row exists from before the request until the batch of the claim
// is finished or rolled back. Its document has the allocations before and after the claim. Times are seconds since the
// epoch by the database's clock.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf, index } from './ddl';

export class RemoteClaims1700000000015 implements MigrationInterface {
  readonly name = 'RemoteClaims1700000000015';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const statements = createTable(ddl, 'scheduler_remote_claims', [
      `id ${ddl.id}`,
      `batch_uuid ${ddl.uuid} NOT NULL`,
      `consumer_uuid ${ddl.uuid} NOT NULL`,
      'is_confirmed integer NOT NULL',
      `created_at ${ddl.bigint} NOT NULL`,
      `document ${ddl.document} NOT NULL`,
      index('ix_scheduler_remote_claims_batch', 'batch_uuid'),
      index('ix_scheduler_remote_claims_consumer', 'consumer_uuid'),
    ]);
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS scheduler_remote_claims');
  }
}
