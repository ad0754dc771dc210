// The log's destination: standard error. Lines are buffered for a short time; when the process ends, the rest is
// written if the reader accepts it.
import { LOG_LIMITS } from '../config/limits/processes';
import { LineWriter } from './line-writer';

/** Lines that wait until standard error takes them; further ones are dropped, and counted. */
const WAITING_BYTES = 8 * 1024 * 1024;

const STANDARD_ERROR = 2;
const GATHER_MS = 100;

let opened: LineWriter | undefined;
let lastTries: number = LOG_LIMITS.lastTries;

/**
 * Ends the process after its last log lines. `endMs` (by `performance.now()`) is the promised end of the process and
 * limits the wait for a reader.
 */
export async function endProcess(code: number, endMs = Infinity): Promise<never> {
  await opened?.finish(Math.max(0, Math.min(endMs - performance.now(), LOG_LIMITS.lastTries * LOG_LIMITS.lastTryMs)));
  const tries = Math.floor((endMs - performance.now()) / LOG_LIMITS.lastTryMs);
  lastTries = Math.max(0, Math.min(LOG_LIMITS.lastTries, tries));
  process.exit(code);
}

/** One stream for all loggers of the process, to keep the lines in order. */
export const standardError = (): LineWriter => {
  opened ??= openStandardError();
  return opened;
};

const openStandardError = (): LineWriter => {
  const lines = new LineWriter(STANDARD_ERROR, {
    waitingBytes: WAITING_BYTES,
    gatherMs: GATHER_MS,
    refusedNotice: (lines) =>
      `${JSON.stringify({ level: 'warn', pid: process.pid, lines, message: 'log lines were dropped' })}\n`,
  });
  process.once('exit', () => lines.writeLast(lastTries));
  return lines;
};
