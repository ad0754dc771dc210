// Times as the APIs of the facade write them.

/** To the second. */
export const toTheSecond = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** To the microsecond, of which there are none. */
export const toTheMicrosecondUtc = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/** The same without a zone. */
export const toTheMicrosecond = (ms: number | null): string | null =>
  ms === null ? null : toTheMicrosecondUtc(ms).slice(0, -1);
