// Permanent errors of the start-up, where a retry cannot help: a one-line message for the operator, without a stack.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { DatabaseTarget } from '../database/data-source';
import { DIALECTS } from '../database/dialects';
import { unavailableReasonOf } from '../database/unavailable';
import { Unavailable } from '../values/errors';
import { StartRefused } from '../values/start-refused';

/** File system errors that mean a wrong file or missing access. */
const OF_FILES: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'EISDIR',
  'EROFS',
  'EEXIST',
  'ELOOP',
  'ENAMETOOLONG',
]);
/** SQLite errors that can be temporary. */
const PASSING = /^SQLITE_(IOERR|FULL|NOMEM|PROTOCOL|BUSY|LOCKED)/;

/** The refusal for an error; undefined if the database can still become available. */
export function refusalOf(target: DatabaseTarget, error: unknown): StartRefused | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  const canPass = target.kind === 'sqlite' ? PASSING.test(code) : DIALECTS.mysql.classify(error) !== 'denied';
  return canPass ? undefined : unusable(target, error);
}

/** The refusal for an error that is not retried: also for a full disk, or a read-only server. Undefined for other errors. */
export function unusable(target: DatabaseTarget, failure: unknown, when = ''): StartRefused | undefined {
  const error = failure instanceof Unavailable ? failure.cause : failure;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const isOfFile = target.kind === 'sqlite' && (OF_FILES.has(code) || /directory does not exist/.test(message));
  const dialect = DIALECTS[target.kind];
  const isLocked = dialect.classify(error) === 'retry';
  const reason = isLocked ? 'Another process locks it for too long.' : unavailableReasonOf(dialect, error);
  if (reason === undefined && !isOfFile) return undefined;
  const text = reason === undefined ? message : `${reason} (${message})`;
  return new StartRefused(`${placeOf(target)} cannot be used${when}: ${text}`, { cause: error });
}

function placeOf(target: DatabaseTarget): string {
  if (target.kind === 'sqlite') return `the database file ${target.path}`;
  const where = target.socketPath ?? target.hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  return `the database ${target.database} at ${where}`;
}

/** Throws StartRefused if the port cannot be opened; called before anything is changed. */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port, exclusive: true });
  await once(server, 'listening').catch((error: unknown) => {
    throw listenRefusal(host, port, error) ?? error;
  });
  await once(server.close(), 'close');
}

/** The refusal for a failed attempt to listen. */
export function listenRefusal(host: string, port: number, error: unknown): StartRefused | undefined {
  const why = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
  return why === undefined
    ? undefined
    : new StartRefused(`cannot listen on ${host} port ${port}: ${why}`, { cause: error });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use by another process',
  EACCES: 'this user may not use the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the name cannot be resolved',
  EAI_AGAIN: 'the name cannot be resolved',
};
