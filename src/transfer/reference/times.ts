// Times in the reference's schema: text or DATETIME without a zone, which means UTC.

const DATETIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?$/;

/** Milliseconds since the epoch; undefined if the text is not a time. */
export function momentOf(text: string | null): number | undefined {
  const [, day, time, fraction = '0'] = DATETIME.exec(text ?? '') ?? [];
  if (day === undefined || time === undefined) return undefined;
  const ms = Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** MySQL columns store whole seconds and would round a fraction, so it is included only for SQLite. */
export function datetimeOf(ms: number, kind: 'mysql' | 'sqlite'): string {
  const text = new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
  return kind === 'mysql' ? text.slice(0, 19) : `${text}000`;
}
