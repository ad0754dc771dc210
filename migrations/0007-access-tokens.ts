// Named tokens for sites without an Identity service. Only the SHA-256 of a token is stored: 256 random bits need no
// slow hash, which a client could use to exhaust the service. Times are milliseconds since the epoch.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf } from './ddl';

export class AccessTokens1700000000007 implements MigrationInterface {
  readonly name = 'AccessTokens1700000000007';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const statements = createTable(ddl, 'access_tokens', [
      `id ${ddl.id}`,
      `name ${ddl.text(255)} NOT NULL`,
      `sha256 ${ddl.text(64)} NOT NULL`,
      `user_id ${ddl.text(255)} NOT NULL`,
      `project_id ${ddl.text(255)} NULL`,
      `system_scope ${ddl.text(16)} NULL`,
      `roles ${ddl.document} NOT NULL`,
      `created_at ${ddl.bigint} NOT NULL`,
      `expires_at ${ddl.bigint} NULL`,
      `revoked_at ${ddl.bigint} NULL`,
      `last_used_at ${ddl.bigint} NULL`,
      'CONSTRAINT uq_access_tokens_name UNIQUE (name)',
      'CONSTRAINT uq_access_tokens_sha256 UNIQUE (sha256)',
    ]);
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS access_tokens');
  }
}
