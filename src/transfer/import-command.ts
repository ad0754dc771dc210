// `berth import`: imports the schema of OpenStack Placement, or a JSON Lines file, into the configured database.
import type { WriteStream } from 'node:fs';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PlacementConfig } from '../placement/options';
import { syncStandardNames } from '../placement/standard-names';
import type { Database } from '../platform/database/database';
import { openConfiguredDatabase } from '../platform/database/open-database';
import { Findings } from './findings';
import { followReference } from './import/follow';
import type { ImportContext, ImportMode } from './import/import-context';
import { verifiedPass } from './import/import-pass';
import type { ImportRecord } from './import/import-record';
import { beginImport, endImport, isEmpty, unfinishedImport } from './import/import-record';
import { verificationLines } from './import/verify-import';
import { unpackJsonLines } from './json-lines/unpack-json-lines';
import type { Progress } from './progress';
import { secondsSince, SILENT } from './progress';
import type { ReferenceConnection } from './reference/connection.loader';
import { openReference, referenceAddress, shownAddress } from './reference/connection.loader';
import { isSameSource, ReferenceReader } from './reference/reader';
import { judgeRevision } from './reference/revisions';

export interface ImportOptions {
  /** `mysql://…`, `sqlite:///…`, or the path of a JSON Lines file. */
  readonly from: string;
  /** Password for the source's database, if its URL has none. */
  readonly password?: string | undefined;
  /** Imports into a database with data and keeps it. The source takes precedence for records that both have. */
  readonly merge?: boolean;
  /** Imports into a database with data and deletes records that the source does not have. */
  readonly replace?: boolean;
  /** Follows a source that is still in use, until `stop`. */
  readonly follow?: boolean;
  /** File that receives every finding, one JSON document per line. */
  readonly report?: string;
}

export interface TransferSurroundings {
  readonly config: PlacementConfig;
  readonly cwd: string;
  readonly print: (text: string) => void;
  readonly progress?: Progress;
}

export interface ImportSurroundings extends TransferSurroundings {
  /** Ends following: one more pass, the verification, a check whether the source has changed since, and the end. */
  readonly stop?: AbortSignal;
  readonly now?: () => number;
}

/** Exit codes: 0 verified, 1 not verified or still changing, 2 invalid options. Throws on read and write errors. */
export async function importCommand(options: ImportOptions, surroundings: ImportSurroundings): Promise<number> {
  const problem = problemOf(options);
  if (problem !== undefined) {
    surroundings.print(problem);
    return 2;
  }
  const source = await openSource(options, surroundings.cwd);
  try {
    const opened = await openConfiguredDatabase(surroundings.config, 'new');
    try {
      await opened.migrate();
      await syncStandardNames(opened.database, Date.now());
      return await importFrom(source, opened.database, options, surroundings);
    } finally {
      await opened.close();
    }
  } finally {
    await source.close();
  }
}

function problemOf({ merge = false, replace = false, follow = false, from }: ImportOptions): string | undefined {
  if (merge && replace) return '--merge and --replace are different things: give one of them';
  if (follow && merge) {
    return '--follow cannot be combined with --merge: rows deleted in the source cannot be distinguished from rows that existed before';
  }
  return follow && !isAddress(from) ? '--follow needs a database: a file does not change' : undefined;
}

interface Source {
  readonly reference: ReferenceConnection;
  readonly shown: string;
  close(): Promise<void>;
}

export const isAddress = (text: string): boolean => /^[a-z0-9]+(?:\+[a-z0-9_]+)?:\/\//i.test(text);

async function openSource({ from, password }: ImportOptions, cwd: string): Promise<Source> {
  if (!isAddress(from)) return openFile(resolve(cwd, from), from);
  const address = referenceAddress('--from', from, cwd, password);
  const shown = shownAddress(address);
  const reference = await openReference(address);
  try {
    await judgeRevision(reference, shown);
  } catch (error) {
    await reference.close();
    throw error;
  }
  return { reference, shown, close: () => reference.close() };
}

async function openFile(path: string, shown: string): Promise<Source> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-import-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const address = { kind: 'sqlite', path: join(folder, 'unpacked.sqlite') } as const;
    const writing = await openReference(address, 'scratch');
    try {
      await unpackJsonLines(path, writing);
    } finally {
      await writing.close();
    }
    const reference = await openReference(address);
    return {
      reference,
      shown,
      close: async () => {
        await reference.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function importFrom(
  source: Source,
  database: Database,
  options: ImportOptions,
  surroundings: ImportSurroundings,
): Promise<number> {
  const { print, progress = SILENT, config, now = Date.now } = surroundings;
  const record = await recordOf(source, database, options, surroundings);
  if (record === undefined) return 2;
  const report = options.report === undefined ? undefined : createWriteStream(options.report);
  const context: ImportContext = {
    reader: new ReferenceReader(source.reference),
    database,
    mode: record.mode,
    findings: new Findings((finding) => void report?.write(`${JSON.stringify(finding)}\n`)),
    progress,
    placeholder: {
      project: config.placement.incomplete_consumer_project_id,
      user: config.placement.incomplete_consumer_user_id,
    },
    written: { count: 0 },
    now,
  };
  try {
    const began = performance.now();
    if (options.follow === true) await followReference(context, print, surroundings.stop);
    const verification = await verifiedPass(context);
    for (const { kind, subject } of await context.reader.looseEnds()) context.findings.add(kind, subject);
    for (const line of context.findings.lines()) print(line);
    const isEqual = verification.differences.length === 0;
    const isStill = async (): Promise<boolean> =>
      isSameSource(verification.fingerprints, await context.reader.fingerprints());
    if (isEqual && options.follow === true && !(await isStill())) {
      print(
        'NOT verified: the source changed after the last pass began. Stop what writes to it, then run the same command ' +
          'again to continue.',
      );
      return 1;
    }
    for (const line of verificationLines(verification)) print(line);
    if (!isEqual) return 1;
    await endImport(database, record, now());
    print(`imported from ${source.shown}: ${context.written.count} rows written in ${secondsSince(began)} s`);
    return 0;
  } finally {
    progress.end();
    if (report !== undefined) await closed(report);
  }
}

const closed = (stream: WriteStream): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.end(resolve);
  });

/** Starts an import, or resumes an interrupted one. Undefined if the database has data and the options name no mode. */
async function recordOf(
  { shown }: Source,
  database: Database,
  { merge = false, replace = false }: ImportOptions,
  { print, now = Date.now }: ImportSurroundings,
): Promise<ImportRecord | undefined> {
  const requestedMode: ImportMode | undefined = merge ? 'merge' : replace ? 'mirror' : undefined;
  const begun = await unfinishedImport(database);
  if (begun?.source === shown && (requestedMode ?? begun.mode) === begun.mode) {
    print(`going on with the import from ${shown} that was begun before`);
    return begun;
  }
  if (requestedMode === undefined && !(await isEmpty(database))) {
    print(
      'The database is not empty. --merge keeps its content, and the source wins if both have an object; ' +
        '--replace takes away what the source does not have.',
    );
    return undefined;
  }
  return beginImport(database, shown, requestedMode ?? 'mirror', now());
}
