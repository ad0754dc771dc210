// Public keys that users of the Compute API import or generate. The time is milliseconds since the epoch.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf } from './ddl';

export class FacadeKeypairs1700000000011 implements MigrationInterface {
  readonly name = 'FacadeKeypairs1700000000011';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const statements = createTable(ddl, 'facade_keypairs', [
      `user_id ${ddl.text(255)} NOT NULL`,
      `name ${ddl.text(255)} NOT NULL`,
      `public_key ${ddl.document} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      'PRIMARY KEY (user_id, name)',
    ]);
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS facade_keypairs');
  }
}
