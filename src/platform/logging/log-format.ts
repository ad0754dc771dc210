// Format of log lines: JSON, or readable text for a terminal.
import { prettyFactory } from 'pino-pretty';
import type { LogFormat } from '../config/platform-config';
import type { LineStream } from './line-writer';
import { standardError } from './standard-error';

/** Whether to write readable text. */
export const isReadable = (format: LogFormat, isTerminal: boolean): boolean =>
  format === 'pretty' || (format === 'auto' && isTerminal);

/** Converts JSON lines to readable text. */
export function readableLines(to: LineStream, hasColours: boolean): LineStream {
  const readable = prettyFactory({
    colorize: hasColours,
    messageKey: 'message',
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid',
    singleLine: true,
    errorLikeObjectKeys: ['err', 'error'],
  });
  return { write: (line) => to.write(readable(line)) };
}

/** Standard error in the configured format. */
export function logLines(format: LogFormat): LineStream {
  const isTerminal = process.stderr.isTTY;
  return isReadable(format, isTerminal) ? readableLines(standardError(), isTerminal) : standardError();
}
