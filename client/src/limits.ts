// Every limit of the client, with its unit as suffix. Limits that callers can change are options of the client.

export const CLIENT_LIMITS = Object.freeze({
  /** One attempt, from connecting to the last byte. A simulation can take two minutes and be queued before. */
  tryMs: 300_000,
  /** Attempts of one call including the first, and the latest start of a retry after the first attempt. */
  tries: 4,
  retriesWithinMs: 60_000,
  /**
   * Pause before the second attempt. It doubles with each retry and varies by half, to spread the load of many clients.
   */
  pauseMs: 200,
  pauseMsMax: 5_000,
  /** Largest accepted answer: far above the service's own limit. */
  answerBytes: 256 * 1024 * 1024,
  /** Characters quoted from an answer that is not the service's. */
  quotedCharacters: 200,
  /** Largest answer of an Identity service: a token with its catalogue. */
  loginBytes: 4 * 1024 * 1024,
  loginTryMs: 30_000,
  /** Remaining lifetime at which a token is renewed; at most a tenth of its total lifetime. */
  renewalMs: 120_000,
  tokenCharacters: 6_000,
  /** A stream without data for this time is given up; the service sends a heartbeat every 15 s. */
  silenceMs: 45_000,
  /** Timeout for the head of a stream. */
  streamHeadMs: 60_000,
  /** Pause before a stream is retried; doubles up to the maximum and varies by half. */
  streamPauseMs: 1_000,
  streamPauseMsMax: 30_000,
  /** Largest event: far above what the service sends. */
  eventCharacters: 1024 * 1024,
  /** Default size and lifetime of a cached list. */
  cachedAnswers: 100,
  cachedMs: 60_000,
});
