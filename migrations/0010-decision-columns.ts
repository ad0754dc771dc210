// Columns for the list of decisions in addition to the sentence: the request, the chosen hosts, the duration. NULL in
// rows that were written by earlier releases.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ddlOf } from './ddl';

const TABLE = 'scheduler_decisions';
const COLUMNS = ['flavor', 'image', 'duration_ms', 'hosts', 'hosts_chosen'] as const;

export class DecisionColumns1700000000010 implements MigrationInterface {
  readonly name = 'DecisionColumns1700000000010';

  async up(runner: QueryRunner): Promise<void> {
    const { text, bigint, document } = await ddlOf(runner);
    const types: Readonly<Record<(typeof COLUMNS)[number], string>> = {
      flavor: text(255),
      // The name of the image, or its id if it has none.
      image: text(255),
      duration_ms: bigint,
      // JSON: the first hosts; hosts_chosen counts all of them.
      hosts: document,
      hosts_chosen: bigint,
    };
    // The migration must be repeatable, and MySQL has no IF NOT EXISTS for columns.
    for (const column of COLUMNS) {
      if (await runner.hasColumn(TABLE, column)) continue;
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${column} ${types[column]} NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) {
      if (await runner.hasColumn(TABLE, column)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${column}`);
    }
  }
}
