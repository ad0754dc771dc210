// Times in the past as people write them, for `since` of routes and commands.

export const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const DAY_MS = 86_400_000;
const CLOCK_SKEW_MS = 60_000;
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

export const NOT_A_PAST_TIME =
  'must be a time in the past, such as 1h, 2d, yesterday, 2026-11-27 or 2026-11-27T08:00:00Z';

/** Milliseconds since the epoch; undefined: not a time, or in the future. Days begin at midnight UTC, which is the default zone. */
export function pastTimeOf(text: string, nowMs: number): number | undefined {
  const time = timeOf(text, nowMs);
  return time >= 0 && time <= nowMs + CLOCK_SKEW_MS ? time : undefined;
}

function timeOf(text: string, nowMs: number): number {
  const [, amount, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return nowMs - Number(amount) * (UNIT_MS[unit] ?? 0);
  if (text === 'today') return nowMs - (nowMs % DAY_MS);
  if (text === 'yesterday') return nowMs - (nowMs % DAY_MS) - DAY_MS;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [, , , , zone] = ISO.exec(text) ?? [];
  return ISO.test(text) ? Date.parse(text.includes('T') && zone === undefined ? `${text}Z` : text) : Number.NaN;
}
