// `berth export`: writes the Placement data of Berth into the schema of OpenStack Placement, or into a JSON Lines file.
import { resolve } from 'node:path';
import type { Database } from '../platform/database/database';
import { WHOLE_LOAD } from '../platform/database/database';
import { openConfiguredDatabase } from '../platform/database/open-database';
import { exportToReference } from './export/export-to-reference';
import type { TransferSurroundings } from './import-command';
import { isAddress } from './import-command';
import { writeJsonLines } from './json-lines/write-json-lines';
import { secondsSince, SILENT } from './progress';
import { openReference, referenceAddress, shownAddress } from './reference/connection.loader';
import type { Revision } from './reference/revisions';
import { isRevision, REVISIONS } from './reference/revisions';

export interface ExportOptions {
  /** `mysql://…`, `sqlite:///…`, or the path of a JSON Lines file. */
  readonly to: string;
  /** Password for the target's database, if its URL has none. */
  readonly password?: string | undefined;
  /** Revision of the schema. Default: the revision of the existing tables, or else the newest. */
  readonly revision?: string;
  /** Deletes the existing data of the target. */
  readonly replace?: boolean;
}

/** Exit codes: 0 done, 2 invalid options. Throws on read and write errors. */
export async function exportCommand(options: ExportOptions, surroundings: TransferSurroundings): Promise<number> {
  const { print, config } = surroundings;
  const { revision } = options;
  if (revision !== undefined && !isRevision(revision)) {
    print(`--revision must be one of ${REVISIONS.join(', ')}`);
    return 2;
  }
  if (revision !== undefined && !isAddress(options.to)) {
    print('--revision is for databases: a file has none');
    return 2;
  }
  const opened = await openConfiguredDatabase(config);
  const began = performance.now();
  try {
    const rows = isAddress(options.to)
      ? await exportToDatabase(opened.database, options, revision, surroundings)
      : await exportToFile(opened.database, options, surroundings);
    print(`exported: ${rows} ${isAddress(options.to) ? 'rows' : 'lines'} written in ${secondsSince(began)} s`);
    return 0;
  } finally {
    surroundings.progress?.end();
    await opened.close();
  }
}

function exportToFile(
  database: Database,
  { to, replace = false }: ExportOptions,
  { cwd, progress = SILENT }: TransferSurroundings,
): Promise<number> {
  return database.readSnapshot((sql) => writeJsonLines(sql, resolve(cwd, to), replace, progress), WHOLE_LOAD);
}

async function exportToDatabase(
  database: Database,
  { to, password, replace = false }: ExportOptions,
  revision: Revision | undefined,
  { cwd, progress = SILENT }: TransferSurroundings,
): Promise<number> {
  const address = referenceAddress('--to', to, cwd, password);
  const reference = await openReference(address, 'write');
  try {
    const target = { reference, revision, isReplacing: replace, shown: shownAddress(address) };
    return await database.readSnapshot((sql) => exportToReference(sql, target, progress), WHOLE_LOAD);
  } finally {
    await reference.close();
  }
}
