// Where the log goes: standard error, in blocks. Lines wait for company for a moment at most, and none is lost when the
// process ends by itself. Whoever reads the log too slowly loses lines, and is told how many; the service goes on.
import { destination as openDestination } from 'pino';
import { LOG_LIMITS } from '../config/limits';

export interface LineStream {
  write(line: string): unknown;
}

const STANDARD_ERROR = 2;
/** A system call per line would cost more than many a request. */
const FLUSH_MS = 100;
/** The most that the stream lets wait is a little more. */
const FLUSH_BYTES = 15 * 1024;

let opened: LineStream | undefined;
let isEnding = false;
/** The stream pauses for a tenth of a second between two of them. */
let lastTries = LOG_LIMITS.lastTries;

/** One stream for all loggers of the process, so that lines stay in order. */
export const standardError = (): LineStream => {
  opened ??= openStandardError();
  return opened;
};

const openStandardError = (): LineStream => {
  const stream = openLines(STANDARD_ERROR, LOG_LIMITS.waitingBytes);
  process.once('exit', () => {
    isEnding = true;
    try {
      stream.flushSync();
    } catch {
      // The stream never opened, so nothing waits in it; or nobody takes the lines, and they were waited for long enough.
    }
  });
  return stream;
};

/** Lines to an open file; at most `waitingBytes` of them wait until it takes them. */
export const openLines = (file: number, waitingBytes: number): ReturnType<typeof openDestination> => {
  const stream = openDestination({
    dest: file,
    sync: false,
    minLength: FLUSH_BYTES,
    maxLength: waitingBytes,
    periodicFlush: FLUSH_MS,
    // A service that runs waits for ever, beside its work; one that ends, for a while.
    retryEAGAIN: () => !isEnding || (lastTries -= 1) >= 0,
  });
  let dropped = 0;
  stream.on('drop', () => (dropped += 1));
  stream.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    stream.write(`${JSON.stringify({ level: 'warn', pid: process.pid, lines, message: 'log lines were dropped' })}\n`);
  });
  return stream;
};
