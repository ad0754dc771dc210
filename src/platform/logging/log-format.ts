// Format of log lines: JSON, or readable text for a terminal.
import { prettyFactory } from 'pino-pretty';
import type { LogFormat } from '../config/platform-config';
import { printableCopy } from '../values/printable';
import type { LineStream } from './line-writer';
import { standardError } from './standard-error';

/** Whether to write readable text. */
export const isReadable = (format: LogFormat, isTerminal: boolean): boolean =>
  format === 'pretty' || (format === 'auto' && isTerminal);

/** Converts JSON lines to readable text. Values of clients cannot begin a line or control the terminal. */
export function readableLines(to: LineStream, hasColours: boolean): LineStream {
  const readable = prettyFactory({
    colorize: hasColours,
    messageKey: 'message',
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid',
    singleLine: true,
    errorLikeObjectKeys: ['err', 'error'],
  });
  return { write: (line) => to.write(readable(printableCopy(recordOf(line)))) };
}

/** The record of a line; a line that is no JSON is its own record. */
function recordOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line.trimEnd();
  }
}

/** Standard error in the configured format. */
export function logLines(format: LogFormat): LineStream {
  const isTerminal = process.stderr.isTTY;
  return isReadable(format, isTerminal) ? readableLines(standardError(), isTerminal) : standardError();
}
