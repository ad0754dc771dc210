// Limits of processes, commands, logs and traces.
import { KIB, MIB } from './units';

export const PROCESS_LIMITS = Object.freeze({
  /** The slice of a long task on the event loop; no task may block it for 50 ms. */
  sliceMs: 10,
  /** Default of `shutdown_grace_seconds`: the time for running requests after a signal. */
  shutdownGraceSeconds: 30,
  /** The time for the rest of a shutdown: pools, threads, the log. Then the process exits in any case. */
  stopMarginMs: 5_000,
  /** Bytes of a configuration or policy file. */
  configFileBytes: 1 * MIB,
  /** Substitutions within one option's value; ends cycles of options that refer to each other. */
  interpolationDepth: 10,
});

/** Commands that ask a running service. */
export const CLI_LIMITS = Object.freeze({
  /** Hosts in a list; further ones are counted as "and more". */
  hostsListed: 20_000,
  hostsPerPage: 1_000,
  /** Providers whose names are looked up for a table of candidates; concurrent lookups. */
  namesLookedUp: 100,
  askedAtOnce: 8,
});

/** Limits of the log. */
export const LOG_LIMITS = Object.freeze({
  /** Attempts to write the last lines at the exit of the process, and the pause between them if the reader is slow. */
  lastTries: 50,
  lastTryMs: 100,
});

/** The audit log. */
export const AUDIT_LIMITS = Object.freeze({
  /** Events in the queue for the file; further ones are lost, counted and logged as an error. */
  waitingBytes: 8 * MIB,
  /** Characters of one document in an event. */
  documentCharacters: 4 * KIB,
  /** Characters of one text in an event: names, ids, the user agent. */
  textCharacters: 255,
  pathCharacters: 2 * KIB,
  roles: 100,
});

/** Limits of the trace of one request. */
export const TRACING_LIMITS = Object.freeze({
  /** Largest value of `slow_request_seconds`. */
  slowSecondsMax: 3_600,
});
