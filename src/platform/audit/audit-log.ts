// Writes events to a file or to standard error. No request waits for it or fails because of a full disk; lost events
// are counted and logged as an error.
import { isAbsolute, join } from 'node:path';
import { maskTokens } from '../logging/redaction';
import { standardError } from '../logging/standard-error';
import { StartRefused } from '../values/start-refused';
import type { AuditEvent } from './audit-event';
import { AuditFile } from './audit-file';

/** Minimum time between two reports of losses. */
const REPORT_EVERY_MS = 10_000;

interface AuditErrorLog {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** Of `[audit]`, with the directory that relative paths start from. */
interface AuditLogSettings {
  readonly log_file: string;
  readonly cwd: string;
}

interface Destination {
  write(line: string): void;
  /** Answers how many events were not written. */
  close(): Promise<number>;
}

export class AuditLog {
  private lostEvents = 0;
  private reportedEvents = 0;
  private reportTimer: NodeJS.Timeout | undefined;

  private readonly destination: Destination;

  private constructor(
    private readonly log: AuditErrorLog,
    destinationFor: (losses: Losses) => Destination,
  ) {
    this.destination = destinationFor({
      count: () => (this.lostEvents += 1),
      reportLossesAtIntervals: () => this.reportLossesAtIntervals(),
    });
  }

  /** Throws StartRefused. */
  static async open({ log_file: name, cwd }: AuditLogSettings, log: AuditErrorLog): Promise<AuditLog> {
    if (name === '') return new AuditLog(log, toStandardError);
    const path = isAbsolute(name) ? name : join(cwd, name);
    const file = await openFile(path, log);
    return new AuditLog(log, (losses) => toFile(file, losses));
  }

  /** Events that were not written and never will be. */
  get lost(): number {
    return this.lostEvents;
  }

  /** Never fails, and nothing waits for it. */
  record(event: AuditEvent): void {
    this.destination.write(`${maskTokens(JSON.stringify(event))}\n`);
  }

  /** Waits for the last events, for a bounded time. */
  async close(): Promise<void> {
    this.lostEvents += await this.destination.close();
    clearTimeout(this.reportTimer);
    this.reportLosses();
  }

  private reportLossesAtIntervals(): void {
    if (this.reportTimer !== undefined) return;
    this.reportLosses();
    this.reportTimer = setTimeout(() => {
      this.reportTimer = undefined;
      this.reportLosses();
    }, REPORT_EVERY_MS).unref();
  }

  private reportLosses(): void {
    const events = this.lostEvents - this.reportedEvents;
    if (events === 0) return;
    this.reportedEvents = this.lostEvents;
    this.log.error({ events, eventsInAll: this.lostEvents }, 'audit events were lost: there was no room for them');
  }
}

interface LineTaker {
  /** False where there is no room. */
  write(line: string): boolean;
}

interface Losses {
  /** One event is lost. */
  readonly count: () => void;
  readonly reportLossesAtIntervals: () => void;
}

async function openFile(path: string, log: AuditErrorLog): Promise<AuditFile> {
  try {
    return await AuditFile.open({
      path,
      onFailed: (error) => log.error({ path, err: error }, 'the audit log cannot be written; its events wait'),
      onRecovered: () => log.info({ path }, 'the audit log is written again'),
    });
  } catch (error) {
    const { message } = error as Error;
    throw new StartRefused(`the audit log ${path} cannot be written: ${message}`, { cause: error });
  }
}

function toFile(file: AuditFile, losses: Losses): Destination {
  const reopen = (): void => file.reopen();
  process.on('SIGHUP', reopen);
  return {
    write: (line) => record(file, line, losses),
    close: () => {
      process.off('SIGHUP', reopen);
      return file.close();
    },
  };
}

/** The stream is the log's. */
function toStandardError(losses: Losses): Destination {
  const lines = standardError();
  return { write: (line) => record(lines, line, losses), close: () => Promise.resolve(0) };
}

function record(lines: LineTaker, line: string, { count, reportLossesAtIntervals }: Losses): void {
  if (lines.write(line)) return;
  count();
  reportLossesAtIntervals();
}
