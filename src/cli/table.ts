// Formats lists as a text table or as JSON.
import { printableLine } from '../platform/values/printable';

type Cell = string | number | boolean | null | undefined | readonly string[];
export type TableRow = Readonly<Record<string, Cell>>;

/** Columns are as wide as their widest cell. An empty cell is a dash. Ends with a newline. */
export function renderTable(columns: readonly string[], rows: readonly TableRow[]): string {
  const cells = [[...columns], ...rows.map((row) => columns.map((column) => textOf(row[column])))];
  const widths = columns.map((_, at) => cells.reduce((widest, line) => Math.max(widest, line[at]?.length ?? 0), 0));
  return cells
    .map((line) => `${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd() + '\n')
    .join('');
}

export const renderJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function textOf(cell: Cell): string {
  const text = printableLine(Array.isArray(cell) ? cell.join(',') : String(cell ?? ''));
  return text === '' ? '-' : text;
}
