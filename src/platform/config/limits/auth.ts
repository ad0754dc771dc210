// Limits of tokens, of requests to the Identity service, and of logins.
import { KIB, MIB } from './units';

/** Limits of authentication. */
export const AUTH_LIMITS = Object.freeze({
  /** Cache time of a static token, and so the maximum delay of a revocation. */
  staticTokenBelievedMs: 5_000,
  /** Minimum interval between updates of a token's last use. */
  tokenUseNotedMs: 60_000,
  rolesPerToken: 100,
  tokensListed: 10_000,
});

/** Limits of requests to the Identity service, and of the cache of its answers. */
export const IDENTITY_LIMITS = Object.freeze({
  /**
   * Longer tokens are refused unseen: signed ones have about 2 000 characters, and web servers accept headers up to 8
   * KiB.
   */
  tokenCharacters: 6 * KIB,
  /** Connections to the Identity service, one per running request; others wait. */
  connections: 32,
  questionsWaiting: 1_000,
  /** Time to open a connection, default of `http_connect_timeout`; and one request in total, with its retries. */
  connectTimeoutMs: 5_000,
  questionMs: 10_000,
  /** Pause before the first retry; grows with each retry, with jitter. */
  retryPauseMs: 50,
  /** Bytes of an answer without the catalogue, and with it, for Berth's own token. */
  answerBytes: 256 * KIB,
  ownAnswerBytes: 4 * MIB,
  /** Limits of the content of one token; larger ones are refused. */
  rolesPerToken: 1_000,
  accessRulesPerToken: 1_000,
  /** Characters of all paths in its access rules, and of a compared path: the work is their product. */
  accessRuleCharacters: 8 * KIB,
  accessPathCharacters: 1 * KIB,
  /** Cached tokens: accepted ones and refused ones, each until it expires. */
  tokensKept: 10_000,
  refusalsKept: 10_000,
  refusalKeptMs: 10_000,
  /** The circuit breaker opens after this number of consecutive failures; then its first and its longest pause. */
  failuresInRow: 5,
  pauseMs: 1_000,
  pauseMsMax: 15_000,
  /** Maximum pause that the Identity service can request, and the pause after it refused Berth's own account. */
  pauseAskedMsMax: 60_000,
  accountPauseMs: 10_000,
  /** Berth's own token is renewed when this share of its life is left, at most the given time before its end. */
  renewShare: 0.2,
  renewMs: 300_000,
  renewEveryMs: 5_000,
  /** `/readyz` sends a probe if there was no other request for this time, and the time limit of the probe. */
  probeEveryMs: 5_000,
  probeWaitMs: 1_500,
  /** Minimum interval between log lines about failures. */
  logEveryMs: 1_000,
});

/** Password logins that Berth forwards to the Identity service. Each process counts separately. */
export const LOGIN_LIMITS = Object.freeze({
  /** The whole body; names and passwords are short. */
  bodyBytes: 16 * KIB,
  passwordCharacters: 4 * KIB,
  /** Attempts from one address, and the time after which it regains one: one address can serve a whole office. */
  triesOfAddress: 30,
  addressRegainsMs: 2_000,
  /** The same per user name, from any address; a successful login resets them. */
  triesOfUser: 10,
  userRegainsMs: 30_000,
  /** Counted addresses, and counted names; further ones share one counter. */
  triersKept: 10_000,
  /** Running logins, because passwords are expensive to verify; then the queue. Beyond these 503. */
  inFlight: 4,
  waiting: 100,
});
