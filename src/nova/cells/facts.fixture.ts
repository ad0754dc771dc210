// Readers of test databases.
import type { NovaDatabases } from '../../../test/nova/nova-databases';
import type { NovaDatabase } from '../conf/database-url';
import { novaDatabaseOf } from '../conf/database-url';
import type { PollSettings } from './limits';
import { PolledNovaFacts } from './polled-nova-facts';

/** The defaults of nova 26. */
const RATIOS = { cpu: 16, ram: 1.5, disk: 1 };

function databaseOf(url: string): NovaDatabase {
  const parsed = novaDatabaseOf(url);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.database;
}

/** Collects the lines of the log. */
export class Lines {
  readonly all: string[] = [];
  readonly info = (...line: unknown[]): void => this.add(line);
  readonly warn = (...line: unknown[]): void => this.add(line);
  readonly error = (...line: unknown[]): void => this.add(line);

  private add(line: unknown[]): void {
    this.all.push(line.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' '));
  }
}

export const readerOf = (
  databases: NovaDatabases,
  times: Partial<PollSettings> = {},
  log: Lines = new Lines(),
  templateBase: string | null = databases.templateBase,
  readsImageProperties = false,
): PolledNovaFacts =>
  new PolledNovaFacts({
    apiDatabase: databaseOf(databases.url(databases.api)),
    templateBase,
    ratios: RATIOS,
    readsImageProperties,
    log,
    times,
  });
