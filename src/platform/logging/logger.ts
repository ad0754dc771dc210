// The structured log: one JSON object per line on standard error. Defines format and levels; access log lines have the
// same format (access-log.ts).

import type { DestinationStream, Logger as PinoLogger } from 'pino';
import { pino, stdSerializers } from 'pino';
import type { LogLevel } from '../config/platform-config';
import { maskSecrets, REDACTED, REDACTED_PATHS } from './redaction';
import { standardError } from './standard-error';

export type Logger = PinoLogger;

interface LoggerSettings {
  readonly level: LogLevel;
  /** Default: standard error. */
  readonly destination?: DestinationStream;
}

/** An error as data; passwords in URLs are masked, because a driver's message can contain the database address. */
const serializeError = (error: Error): unknown => {
  const { message, stack, ...rest } = stdSerializers.err(error);
  return { ...rest, message: maskSecrets(message), stack: maskSecrets(stack) };
};

/** Secrets are redacted by field name, not by value: log them as fields, never inside sentences. */
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
