// The structured log: one JSON object per line on standard error. Formats and levels are decided here; the lines of the
// access log look alike (access-log.ts).

import { pino, stdSerializers } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';
import type { LogLevel } from '../config/berth-config';
import { REDACTED, REDACTED_PATHS, maskUrlPasswords } from './redaction';
import { standardError } from './standard-error';

export type Logger = PinoLogger;

interface LoggerSettings {
  readonly level: LogLevel;
  /** Default: standard error. */
  readonly destination?: DestinationStream;
}

/** An error as data; a driver's message may hold the address it failed to reach. */
const serializeError = (error: Error): unknown => {
  const { message, stack, ...rest } = stdSerializers.err(error);
  return { ...rest, message: maskUrlPasswords(message), stack: maskUrlPasswords(stack) };
};

/** Secrets are replaced by field name, not by looking at values: put them into fields, never into sentences. */
export const createLogger = ({ level, destination }: LoggerSettings): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'message',
      serializers: { err: serializeError, error: serializeError },
      redact: { paths: [...REDACTED_PATHS], censor: REDACTED },
    },
    destination ?? standardError(),
  );
