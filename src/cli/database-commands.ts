// Commands about the database: migrate it, verify its laws, tell readers that it was changed by hand.
import type { BerthConfig } from '../config/berth-config';
import { WHOLE_LOAD } from '../database/database';
import { openConfiguredDatabase } from '../database/open-database';
import { chunks } from '../database/sql';
import { syncStandardNames } from '../database/standard-names';
import { findBrokenLaws } from '../verify/verify.repository';

type Print = (text: string) => void;

/** Answers the exit code. */
export async function migrateDatabase(config: BerthConfig, print: Print): Promise<number> {
  const opened = await openConfiguredDatabase(config, true);
  try {
    const done = await opened.migrate();
    for (const name of done) print(`migrated: ${name}`);
    const added = await syncStandardNames(opened.database, Date.now());
    print(`${done.length} migrations run, ${added} standard names added`);
    return 0;
  } finally {
    await opened.close();
  }
}

const SHOWN = 100;

/** 0 when everything holds, 1 otherwise; prints each broken law. */
export async function verifyDatabase(config: BerthConfig, print: Print): Promise<number> {
  const opened = await openConfiguredDatabase(config);
  try {
    const broken = await opened.database.readSnapshot(findBrokenLaws, WHOLE_LOAD);
    for (const { law, subject, detail } of broken.slice(0, SHOWN)) print(`${law}: ${subject}: ${detail}`);
    if (broken.length > SHOWN) print(`… and ${broken.length - SHOWN} more`);
    print(broken.length === 0 ? 'The database is consistent.' : `${broken.length} faults found.`);
    return broken.length === 0 ? 0 : 1;
  } finally {
    await opened.close();
  }
}

const PROVIDERS_PER_WRITE = 5_000;

/** Leaves a change of every provider in the change log, so that all readers read everything again. */
export async function bumpGraph(config: BerthConfig, print: Print): Promise<number> {
  const opened = await openConfiguredDatabase(config);
  try {
    const rows = await opened.database.read((sql) => sql.query<{ id: number }>('SELECT id FROM resource_providers'));
    for (const part of chunks(rows, PROVIDERS_PER_WRITE)) {
      await opened.database.write(async (tx) => {
        for (const { id } of part) tx.changes.tree(id);
      });
    }
    print(`${rows.length} providers marked as changed`);
    return 0;
  } finally {
    await opened.close();
  }
}
