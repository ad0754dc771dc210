// Formats lists as a text table or as JSON.
import { styleText } from 'node:util';
import { printableLine } from '../platform/values/printable';

type Cell = string | number | boolean | null | undefined | readonly string[];
export type TableRow = Readonly<Record<string, Cell>>;

/** Colours of cells that are a state, an outcome or a severity. */
const COLOURS = [
  [/^(up|enabled|placed|current)$/, 'green'],
  [/^(moving|warning)$/, 'yellow'],
  [/^(down|disabled|disabled by trait|no_valid_host|refused|failed|error)$/, 'red'],
] as const;

/** For terminals: the header is bold, states have colours. */
export function coloured(text: string, line: number): string {
  const style = line === 0 ? 'bold' : COLOURS.find(([pattern]) => pattern.test(text))?.[1];
  return style === undefined ? text : styleText(style, text, { validateStream: false });
}

/** Columns are as wide as their widest cell. An empty cell is a dash. Ends with a newline. `paint` keeps the width. */
export function renderTable(
  columns: readonly string[],
  rows: readonly TableRow[],
  paint: (text: string, line: number) => string = (text) => text,
): string {
  const cells = [[...columns], ...rows.map((row) => columns.map((column) => textOf(row[column])))];
  const widths = columns.map((_, at) => cells.reduce((widest, line) => Math.max(widest, line[at]?.length ?? 0), 0));
  return cells
    .map((line, row) =>
      line
        .map((cell, at) => paint(cell, row) + ' '.repeat(at === line.length - 1 ? 0 : (widths[at] ?? 0) - cell.length))
        .join('  ')
        .concat('\n'),
    )
    .join('');
}

export const renderJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function textOf(cell: Cell): string {
  const text = printableLine(Array.isArray(cell) ? cell.join(',') : String(cell ?? ''));
  return text === '' ? '-' : text;
}
