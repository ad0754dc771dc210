// The structured log: one JSON object per line on standard error, with the running request's ids in every line. Formats
// and levels are decided here and nowhere else.

import { destination as openDestination, pino, stdSerializers } from 'pino';
import type { DestinationStream, Logger as PinoLogger, LoggerOptions } from 'pino';
import type { LogLevel } from '../config/berth-config';
import { logContextFields } from './log-context';
import { REDACTED, REDACTED_PATHS, maskUrlPasswords } from './redaction';

export type Logger = PinoLogger;

export interface LoggerSettings {
  readonly level: LogLevel;
  /** Default: standard error. */
  readonly destination?: DestinationStream;
}

const STANDARD_ERROR = 2;
/** Lines wait for company this long at most: a system call per line would cost more than many a request. */
const FLUSH_MS = 100;
const FLUSH_BYTES = 8 * 1024;

const standardError = (): DestinationStream => {
  const stream = openDestination({
    dest: STANDARD_ERROR,
    sync: false,
    minLength: FLUSH_BYTES,
    periodicFlush: FLUSH_MS,
  });
  process.once('exit', () => {
    try {
      stream.flushSync();
    } catch {
      // The stream never opened, so nothing waits in it.
    }
  });
  return stream;
};

/** An error as data; a driver's message may hold the address it failed to reach. */
const serializeError = (error: Error): unknown => {
  const { message, stack, ...rest } = stdSerializers.err(error);
  return { ...rest, message: maskUrlPasswords(message), stack: maskUrlPasswords(stack) };
};

const linesOf = (level: LogLevel): LoggerOptions => ({
  level,
  base: { pid: process.pid },
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
  messageKey: 'message',
  mixin: () => logContextFields(),
  serializers: { err: serializeError, error: serializeError },
});

/** Secrets are replaced by field name, not by looking at values: put them into fields, never into sentences. */
export const createLogger = ({ level, destination }: LoggerSettings): Logger =>
  pino({ ...linesOf(level), redact: { paths: [...REDACTED_PATHS], censor: REDACTED } }, destination ?? standardError());

/**
 * For the access log alone, whose few fields are known and hold no secret: looking for some in every line costs more
 * than writing it.
 */
export const createAccessLogger = ({ level, destination }: LoggerSettings): Logger =>
  pino(linesOf(level), destination ?? standardError());
