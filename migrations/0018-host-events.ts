// What changed of hosts, for reports: the newest rows. The time is milliseconds since the epoch.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, ddlOf, index } from './ddl';

export class HostEvents1700000000018 implements MigrationInterface {
  readonly name = 'HostEvents1700000000018';

  async up(runner: QueryRunner): Promise<void> {
    const ddl = await ddlOf(runner);
    const statements = createTable(ddl, 'host_events', [
      `id ${ddl.id}`,
      `at ${ddl.bigint} NOT NULL`,
      `provider_uuid ${ddl.uuid} NOT NULL`,
      `name ${ddl.text(200)} NOT NULL`,
      `fact ${ddl.text(300)} NOT NULL`,
      `was ${ddl.text(300)}`,
      `became ${ddl.text(300)}`,
      `previous ${ddl.bigint} NOT NULL`,
      // A second process that records the same change conflicts.
      'CONSTRAINT uq_host_events_previous UNIQUE (provider_uuid, fact, previous)',
      index('ix_host_events_at', 'at'),
    ]);
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS host_events');
  }
}
