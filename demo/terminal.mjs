// Output of the demo: plain text in aligned columns; bold only on a terminal without NO_COLOR.

const hasStyle = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
const styled = (code) => (text) => (hasStyle ? `\u001b[${code}m${text}\u001b[0m` : text);
export const bold = styled(1);
export const faint = styled(2);

export const say = (text = '') => process.stdout.write(`${text}\n`);

export function heading(text) {
  say();
  say(bold(text));
  say(faint('─'.repeat(Math.min(text.length, 100))));
}

/** Rows of texts in columns; numbers are right-aligned. */
export function table(rows, indent = '  ') {
  const widths = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, String(cell).length)));
  for (const row of rows) {
    const cells = row.map((cell, at) =>
      typeof cell === 'number' ? String(cell).padStart(widths[at]) : cell.padEnd(widths[at]),
    );
    say(`${indent}${cells.join('  ')}`.trimEnd());
  }
}

/** For example `1 host`, `2 hosts`. */
export const count = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;

/** The first few names and the number of the rest. */
export function few(names, most = 3) {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
