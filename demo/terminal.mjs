// Output of the demo: plain text in aligned columns; bold only on a terminal without NO_COLOR.

const isTerminal = process.stdout.isTTY === true;
const hasStyle = isTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
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

/** A progress bar on a terminal; elsewhere one line at the end. */
export function progressLine(label) {
  const width = 30;
  return (done, all) => {
    const filled = Math.round((done / all) * width);
    const text = `  ${label}  ${'█'.repeat(filled)}${'░'.repeat(width - filled)}  ${done}/${all}`;
    if (isTerminal) process.stdout.write(`\r${text}${done === all ? '\n' : ''}`);
    else if (done === all) say(text);
  };
}

/** For example `1 host`, `2 hosts`. */
export const count = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;

/** The first few names and the number of the rest. */
export function few(names, most = 3) {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
