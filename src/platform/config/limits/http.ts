// Limits of requests, connections and answers, and of the console's files.
import { KIB, MIB } from './units';

/** Limits of one HTTP request. */
export const HTTP_LIMITS = Object.freeze({
  /** Default, minimum and maximum of `max_body_bytes`. A body of 2 MiB takes 20 to 40 ms to parse and validate. */
  bodyBytes: 2 * MIB,
  bodyBytesMin: 64 * KIB,
  bodyBytesMax: 10 * MIB,
  /** Queries for candidates grow with their groups; 64 KiB holds a few hundred. */
  urlBytes: 64 * KIB,
  /** All header lines of a request; Node counts the URL, too, so this exceeds `urlBytes`. */
  headerBytes: 96 * KIB,
  /** The longest path segment for the router; each of 255 characters can be percent-encoded in several bytes. */
  pathParameterCharacters: 4 * KIB,
  /** From the first to the last byte of a request; slower clients are disconnected. */
  requestTimeoutMs: 60_000,
  /** The interval of the check of connections against their timeouts. */
  connectionsCheckingIntervalMs: 5_000,
  headersTimeoutMs: 20_000,
  /** A client with an invalid request must read the refusal and close within this time. */
  refusedTimeoutMs: 5_000,
  /** Keep-alive time of idle connections; above the usual 60 s of load balancers, so that these close first. */
  keepAliveTimeoutMs: 72_000,
  /** From the connection to the end of the TLS handshake. */
  tlsHandshakeTimeoutMs: 10_000,
  /**
   * Connections of one process; further ones are closed at once. Far above load balancers' use, far below file limits.
   */
  connectionsMax: 10_000,
  /** Minimum interval between log lines about connections that were closed at once. */
  droppedLogEveryMs: 1_000,
  /** `Retry-After` of a 503, in seconds. */
  retryAfterSeconds: 1,
  /** Nesting of a JSON body; deeper ones are refused before they are validated. */
  jsonDepth: 64,
  /** Keys of one object in a body: more than the consumers of any request. */
  jsonKeys: 20_000,
  /** Bytes of a body per different key, and per object or list: at most 20 000 and 52 000 in 2 MiB. */
  bodyBytesPerNewKey: 100,
  bodyBytesPerContainer: 40,
  /** A document that class-validator validates: this size with 5 000 unknown fields takes up to 45 ms. */
  documentBytes: 64 * KIB,
  /** Characters of one string in a document. */
  documentTextCharacters: 65_535,
  /** A longer body is written in chunks of about this many characters, as fast as the client reads. */
  bodyChunkCharacters: 64 * KIB,
  /** Bodies of requests up to this size are neither counted together nor followed by a yield. */
  smallBodyBytes: 64 * KIB,
  /** Bodies above `smallBodyBytes` of all running requests in the process; further requests get 503. */
  bodiesBytes: 256 * MIB,
  /** A client that reads nothing of its answer for this time is disconnected. */
  unreadAnswerMs: 30_000,
  /** Parts of a body, counted by their values, that are serialised in one step; larger ones yield in between. */
  jsonPartNodes: 8_000,
  /** Characters of one error message. */
  errorDetailCharacters: 4_000,
});

/** The built console, which is held in memory. */
export const CONSOLE_LIMITS = Object.freeze({
  files: 1_000,
  bytes: 64 * MIB,
});
