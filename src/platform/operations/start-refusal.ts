// Permanent errors of the start-up, where a retry cannot help: a one-line message for the operator, without a stack.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { DatabaseTarget } from '../database/data-source';
import { DIALECTS } from '../database/dialects';
import { unavailableReasonOf } from '../database/unavailable';
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
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = unavailableReasonOf(DIALECTS[target.kind], error);
  if (target.kind === 'sqlite') {
    if (OF_FILES.has(code) || /directory does not exist/.test(message)) {
      return new StartRefused(`the database file ${target.path} cannot be used: ${message}`, { cause: error });
    }
    if (reason === undefined || PASSING.test(code)) return undefined;
    return new StartRefused(`the database file ${target.path} cannot be used: ${reason} (${message})`, {
      cause: error,
    });
  }
  if (DIALECTS.mysql.classify(error) !== 'denied') return undefined;
  const where = target.socketPath ?? target.hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  return new StartRefused(`the database ${target.database} at ${where} cannot be used: ${reason ?? ''} (${message})`, {
    cause: error,
  });
}

/** The refusal for an error of the migration, which is not repeated: also a full disk, or a read-only server. */
export function migrationRefusalOf(target: DatabaseTarget, error: unknown): StartRefused | undefined {
  const reason = unavailableReasonOf(DIALECTS[target.kind], error);
  const refusal = `the database schema cannot be brought up to date: ${reason ?? ''} (${(error as Error).message})`;
  return refusalOf(target, error) ?? (reason === undefined ? undefined : new StartRefused(refusal, { cause: error }));
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
