// Messages for clients and probes when the database does not serve: one sentence, without the driver's text.
import { OutcomeUnknown, Unavailable } from '../values/errors';
import type { Dialect } from './dialects';
import { byCode } from './dialects';

const DENIED = 'The database refuses the user, the password or the database name that is configured.';
const UNREACHABLE = 'The database cannot be reached.';

const SENTENCES = byCode([
  ['1290 1792 1836 1874 3100 SQLITE_READONLY', 'The database is read-only.'],
  ['1021 1026 1037 1038 1041 1114 SQLITE_FULL SQLITE_NOMEM', 'The disk or the memory of the database is full.'],
  ['1040 1135 1203 1206 1226 1637', 'The database has too many connections.'],
  ['1047 3032', 'The database is not ready: its cluster is not complete, or it is in maintenance.'],
  ['1129 1130', 'The database refuses connections from this machine.'],
  ['ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME', 'The name of the database’s host cannot be resolved.'],
  ['ETIMEDOUT', 'The database does not answer in time.'],
  ['SQLITE_CANTOPEN SQLITE_PERM SQLITE_AUTH', 'The database file cannot be opened.'],
  ['SQLITE_IOERR', 'The database file cannot be read or written.'],
  ['SQLITE_PROTOCOL', 'The database file cannot be locked.'],
  ['SQLITE_CORRUPT', 'The database file is damaged.'],
  ['SQLITE_NOTADB', 'The database file is no database.'],
]);

/** Why the database does not serve; undefined for any other error. */
export function unavailableReasonOf(dialect: Dialect, error: unknown): string | undefined {
  const failure = dialect.classify(error);
  if (failure === 'denied') return DENIED;
  if (failure !== 'connection' && failure !== 'refused') return undefined;
  const { errno, code = '' } = error as { errno?: number; code?: string };
  const [, primary] = /^(SQLITE_[A-Z]+)/.exec(code) ?? [];
  return SENTENCES.get(String(errno)) ?? SENTENCES.get(primary ?? code) ?? UNREACHABLE;
}

/** Converts errors of an unavailable database; returns any other error unchanged. */
export function unavailable(dialect: Dialect, error: unknown): unknown {
  const reason = unavailableReasonOf(dialect, error);
  return reason === undefined ? error : new Unavailable(reason, { cause: error });
}

/** For a connection that was lost while a commit was possibly in flight. */
export function outcomeUnknown(cause: unknown): OutcomeUnknown {
  return new OutcomeUnknown(
    'The database connection was lost during the write. The outcome of the write is unknown. Read the resource before ' +
      'you retry.',
    { cause },
  );
}
