// Nest's logger interface over the structured log. Nest passes messages of any kind, then optionally a stack, then the
// name of the source.

import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

interface Line {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

const messageOf = (message: unknown): Line => {
  if (typeof message === 'string') return { fields: {}, message };
  if (message instanceof Error) return { fields: { err: message }, message: message.message };
  if (typeof message === 'object' && message !== null)
    return { fields: message as Record<string, unknown>, message: '' };
  return { fields: {}, message: String(message) };
};

const isStack = (text: unknown): text is string => typeof text === 'string' && /\n\s+at /.test(text);

const fieldsOf = (rest: readonly unknown[]): Readonly<Record<string, unknown>> => {
  const stack = rest.find(isStack);
  const last = rest.at(-1);
  const context = typeof last === 'string' && !isStack(last) ? last : undefined;
  const details = rest.filter((entry) => entry !== undefined && entry !== stack && entry !== context);
  return {
    ...(context === undefined ? {} : { context }),
    ...(stack === undefined ? {} : { stack }),
    ...(details.length === 0 ? {} : { details }),
  };
};

/** The `logger` option of Nest. */
export const createNestLogger = (logger: Logger): LoggerService => {
  const write =
    (level: Level) =>
    (message: unknown, ...rest: readonly unknown[]): void => {
      const { fields, message: text } = messageOf(message);
      logger[level]({ ...fields, ...fieldsOf(rest) }, text);
    };
  return {
    fatal: write('fatal'),
    error: write('error'),
    warn: write('warn'),
    // Nest's own start messages are for developers.
    log: write('debug'),
    debug: write('debug'),
    verbose: write('trace'),
  };
};
