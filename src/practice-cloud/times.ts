// Time formats of the practice cloud's APIs.

/** Without a fraction of a second. */
export const toTheSecond = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** With six decimals; the last three are always 0. */
export const toTheMicrosecondUtc = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/** Same, but without a time zone. */
export const toTheMicrosecond = (ms: number | null): string | null =>
  ms === null ? null : toTheMicrosecondUtc(ms).slice(0, -1);
