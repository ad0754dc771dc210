// Every bound of the client, with its unit last. Those that a caller may want to change are options of the client.

export const CLIENT_LIMITS = Object.freeze({
  /** One try, from the connection to the last byte of the answer. A simulation may take two minutes, and wait before. */
  tryMs: 300_000,
  /** Tries of one call, the first included, and how long after the first another one may begin. */
  tries: 4,
  retriesWithinMs: 60_000,
  /** Before the second try; doubled before each further one, and varied by half, so that clients do not come at once. */
  pauseMs: 200,
  pauseMsMax: 5_000,
  /** The largest answer that is read: far above what the service is told to write at most. */
  answerBytes: 256 * 1024 * 1024,
  /** What is quoted of an answer that is not the service's own. */
  quotedCharacters: 200,
  /** Of an Identity service's answer: a token with its catalogue. */
  loginBytes: 4 * 1024 * 1024,
  loginTryMs: 30_000,
  /** A token is renewed when so little of its life is left, or a tenth of it where that is less. */
  renewalMs: 120_000,
  tokenCharacters: 6_000,
  /** A stream of which nothing is heard for so long is given up: the service gives a sign of life every 15 s. */
  silenceMs: 45_000,
  /** How long its head may take. */
  streamHeadMs: 60_000,
  /** Before a stream is tried again; doubled up to the longest, and varied by half. */
  streamPauseMs: 1_000,
  streamPauseMsMax: 30_000,
  /** The longest event: far above what the service writes. */
  eventCharacters: 1024 * 1024,
  /** Answers that a cached list keeps, and how long, unless it is told otherwise. */
  cachedAnswers: 100,
  cachedMs: 60_000,
});
