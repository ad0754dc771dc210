// Tables as CSV files (RFC 4180), created in the browser.

export type Cell = string | number | boolean | null | undefined;

export function csvOf(columns: readonly string[], rows: Iterable<readonly Cell[]>): string {
  return [columns, ...rows].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  // A spreadsheet would read these as the start of a formula.
  const text = typeof cell === 'string' && /^[=+\-@\t]/.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Starts a browser download. */
export function download(name: string, content: Blob | string): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: 'text/csv;charset=utf-8' }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
