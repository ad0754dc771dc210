// Where the log goes: standard error, in blocks. Lines wait for company for a moment at most, and none is lost when the
// process ends by itself.
import { destination as openDestination } from 'pino';

export interface LineStream {
  write(line: string): unknown;
}

const STANDARD_ERROR = 2;
/** A system call per line would cost more than many a request. */
const FLUSH_MS = 100;
/** The most that the stream lets wait is a little more. */
const FLUSH_BYTES = 15 * 1024;

let opened: LineStream | undefined;

/** One stream for all loggers of the process, so that lines stay in order. */
export const standardError = (): LineStream => {
  opened ??= open();
  return opened;
};

const open = (): LineStream => {
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
