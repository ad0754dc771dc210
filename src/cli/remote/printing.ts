// The forms in which a command that calls the service prints its result.
import { Option } from 'commander';
import { stringify } from 'yaml';
import type { CommandStreams } from '../command-context';
import type { TableRow } from '../table';
import { coloured, renderJson, renderTable } from '../table';
import type { ServiceClient } from './service-client';

const OUTPUTS = ['table', 'wide', 'json', 'yaml', 'name'] as const;

export interface Printing {
  readonly output: (typeof OUTPUTS)[number];
}

export const outputOption = (): Option =>
  new Option('-o, --output <form>', 'how the result is printed; "wide" has more columns, "name" only names')
    .choices(OUTPUTS)
    .default('table');

/** What a command does with a service. The result, if any, is the exit code. */
export type Action<Options extends Printing = Printing> = (
  client: ServiceClient,
  streams: CommandStreams,
  options: Options,
  args: readonly string[],
) => Promise<number | void>;

interface Listing {
  /** The value that `json` and `yaml` print. */
  readonly document: unknown;
  readonly columns: readonly string[];
  /** Further columns of `wide`. */
  readonly wide?: readonly string[];
  readonly rows: readonly TableRow[];
  /** The column that `name` prints. */
  readonly name: string;
  /** Printed instead of a table without rows. */
  readonly empty: string;
  /** Printed after a table that the service could continue: how to see more. */
  readonly more?: string | false;
}

/** A cell with `key=value` pairs. */
export const pairsOf = (values: object): readonly string[] =>
  Object.entries(values).map(([key, value]) => `${key}=${value}`);

/** An empty list is said on stderr, so that its standard output stays empty. */
export function printListing(
  { stdout, stderr, terminal }: CommandStreams,
  { output }: Printing,
  listing: Listing,
): void {
  const { document, columns, wide = [], rows, name, empty, more } = listing;
  if (output === 'json') stdout(renderJson(document));
  else if (output === 'yaml') stdout(stringify(document));
  else if (rows.length === 0) stderr(`${empty}\n`);
  else if (output === 'name') stdout(rows.map((row) => `${String(row[name])}\n`).join(''));
  else {
    const shown = output === 'wide' ? [...columns, ...wide] : columns;
    // The cells of a table are printable, and the other writer escapes colours.
    if (terminal?.hasColours === true) terminal.write(renderTable(shown, rows, coloured));
    else stdout(renderTable(shown, rows));
    if (more) stderr(`… and more; ${more}\n`);
  }
}

/** A result that is no list. `text` is what a person reads, `names` what `name` prints. */
export function printDocument(
  { stdout }: CommandStreams,
  { output }: Printing,
  document: unknown,
  { text, names }: { readonly text: () => string; readonly names?: readonly string[] },
): void {
  if (output === 'json') stdout(renderJson(document));
  else if (output === 'yaml') stdout(stringify(document));
  else if (output === 'name' && names !== undefined) stdout(names.map((name) => `${name}\n`).join(''));
  else stdout(text());
}
