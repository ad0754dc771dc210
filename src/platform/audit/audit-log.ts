// Writes events to a file or to standard error. No request waits for it or fails because of a full disk; lost events
// are counted and logged as an error.
import { isAbsolute, join } from 'node:path';
import { standardError } from '../logging/standard-error';
import type { AuditEvent } from './audit-event';
import { AuditFile } from './audit-file';

/** Minimum interval between reports of losses. */
const TELL_EVERY_MS = 10_000;

interface AuditErrorLog {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** Settings of `[audit]`, with the base directory of relative paths. */
interface AuditLogSettings {
  readonly log_file: string;
  readonly cwd: string;
}

/** The file cannot be appended to; stops the start-up. */
export class AuditFileRefused extends Error {
  override readonly name = 'AuditFileRefused';
}

interface Destination {
  write(line: string): void;
  /** Returns the number of events that were not written. */
  close(): Promise<number>;
}

export class AuditLog {
  private lostEvents = 0;
  private toldEvents = 0;
  private teller: NodeJS.Timeout | undefined;

  private readonly destination: Destination;

  private constructor(
    private readonly log: AuditErrorLog,
    destinationFor: (losses: Losses) => Destination,
  ) {
    this.destination = destinationFor({
      count: () => (this.lostEvents += 1),
      tellNowAndThen: () => this.tellNowAndThen(),
    });
  }

  /** Throws AuditFileRefused. */
  static async open({ log_file: name, cwd }: AuditLogSettings, log: AuditErrorLog): Promise<AuditLog> {
    if (name === '') return new AuditLog(log, toStandardError);
    const path = isAbsolute(name) ? name : join(cwd, name);
    const file = await openFile(path, log);
    return new AuditLog(log, (losses) => toFile(file, losses));
  }

  /** The number of lost events. */
  get lost(): number {
    return this.lostEvents;
  }

  /** Never throws or waits. */
  record(event: AuditEvent): void {
    this.destination.write(`${JSON.stringify(event)}\n`);
  }

  /** Waits for the last events, up to a limit. */
  async close(): Promise<void> {
    this.lostEvents += await this.destination.close();
    clearTimeout(this.teller);
    this.tell();
  }

  private tellNowAndThen(): void {
    if (this.teller !== undefined) return;
    this.tell();
    this.teller = setTimeout(() => {
      this.teller = undefined;
      this.tell();
    }, TELL_EVERY_MS).unref();
  }

  private tell(): void {
    const events = this.lostEvents - this.toldEvents;
    if (events === 0) return;
    this.toldEvents = this.lostEvents;
    this.log.error({ events, eventsInAll: this.lostEvents }, 'audit events were lost: there was no room for them');
  }
}

interface LineTaker {
  /** Returns false if the buffer is full. */
  write(line: string): boolean;
}

interface Losses {
  /** Counts one lost event. */
  readonly count: () => void;
  readonly tellNowAndThen: () => void;
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
    throw new AuditFileRefused(`the audit log ${path} cannot be written: ${message}`, { cause: error });
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

/** The logger owns the stream. */
function toStandardError(losses: Losses): Destination {
  const lines = standardError();
  return { write: (line) => record(lines, line, losses), close: () => Promise.resolve(0) };
}

function record(lines: LineTaker, line: string, { count, tellNowAndThen }: Losses): void {
  if (lines.write(line)) return;
  count();
  tellNowAndThen();
}
