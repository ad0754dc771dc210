// The access log: one DEBUG line at the start of a request, one INFO line at its end (DEBUG for probes, which arrive
// every few seconds). The lines are formatted here instead of by the structured logger, because every request has one,
// and their fields are known and contain no secret.

import type { LogLevel } from '../config/platform-config';
import type { LineStream } from './line-writer';
import type { LogContext } from './log-context';
import { standardError } from './standard-error';

export interface RequestStart {
  readonly remote: string;
  readonly method: string;
  /** Path with query, as received. */
  readonly path: string;
  /** A health probe or a similar monitoring request. */
  readonly isProbe?: boolean;
}

interface RequestEnd extends RequestStart {
  readonly status: number;
  /** Length of the answer's body; null if unknown. */
  readonly bytes: number | null;
  /** Null if no version was negotiated. */
  readonly microversion: string | null;
  readonly durationMs: number;
}

export interface AccessLog {
  started(context: LogContext, request: RequestStart): void;
  ended(context: LogContext, request: RequestEnd): void;
}

interface AccessLogSettings {
  readonly level: LogLevel;
  /** Default: standard error. */
  readonly destination?: LineStream;
}

const LEVELS_WITH_STARTS: ReadonlySet<LogLevel> = new Set(['trace', 'debug']);
const LEVELS_WITH_ENDS: ReadonlySet<LogLevel> = new Set([...LEVELS_WITH_STARTS, 'info']);

export const createAccessLog = ({ level, destination }: AccessLogSettings): AccessLog => {
  const hasStarts = LEVELS_WITH_STARTS.has(level);
  const hasEnds = LEVELS_WITH_ENDS.has(level);
  const stream = destination ?? (hasEnds ? standardError() : SILENCE);
  return {
    started: (context, request) => {
      if (hasStarts) stream.write(startLine(context, request));
    },
    ended: (context, request) => {
      if (request.isProbe === true ? hasStarts : hasEnds) stream.write(endLine(context, request));
    },
  };
};

const SILENCE: LineStream = { write: () => undefined };

/** Printable ASCII without quote and backslash: most client input. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** All other ASCII characters, and the line separators beyond ASCII. */
const UNPRINTABLE = /[^ !#-[\]-~\u0080-\u2027\u202a-\uffff]/g;

/** Encodes control characters and quotes, so a path cannot forge a log line. */
const printable = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(UNPRINTABLE, (character) => encodeURIComponent(character));

/** A quote inside a JSON text; no other character of the sentences needs escaping. */
const ESCAPED_QUOTE = '\\"';

/** The sentence of a finished request: remote, request, status, length, microversion; `-` for unknown values. */
const endSentence = ({ remote, method, path, status, bytes, microversion, durationMs }: RequestEnd): string =>
  `${printable(remote)} ${ESCAPED_QUOTE}${printable(method)} ${printable(path)}${ESCAPED_QUOTE} status: ${status} ` +
  `len: ${bytes ?? '-'} microversion: ${microversion ?? '-'} time: ${durationMs.toFixed(1)} ms`;

/** The text as JSON. */
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** The members of `contextFields`. */
const contextMembers = ({ requestId, traceId, globalRequestId, principal }: LogContext): string => {
  const ids = `"request_id":${quoted(requestId)}${traceId === undefined ? '' : `,"trace_id":${quoted(traceId)}`}`;
  const global = globalRequestId === null ? '' : `,"global_request_id":${quoted(globalRequestId)}`;
  if (principal === undefined) return ids + global;
  const { userId, projectId } = principal;
  return `${ids}${global},"user":${quoted(userId)}${projectId === null ? '' : `,"project":${quoted(projectId)}`}`;
};

/** Same members in the same order as in the structured log. */
const opening = (level: string, context: LogContext, { remote, method, path }: RequestStart): string =>
  `{"level":"${level}","time":"${new Date().toISOString()}","pid":${process.pid},${contextMembers(context)}` +
  `,"remote":${quoted(remote)},"method":${quoted(method)},"path":${quoted(path)}`;

const startLine = (context: LogContext, request: RequestStart): string => {
  const { remote, method, path } = request;
  const words = `${printable(method)} ${printable(path)}`;
  const sentence = `Starting request: ${printable(remote)} ${ESCAPED_QUOTE}${words}${ESCAPED_QUOTE}`;
  return `${opening('debug', context, request)},"message":"${sentence}"}\n`;
};

/** Per millisecond; durations are rounded to microseconds. */
const MICROSECONDS = 1_000;

const endLine = (context: LogContext, request: RequestEnd): string => {
  const { status, bytes, microversion, durationMs } = request;
  const version = microversion === null ? 'null' : quoted(microversion);
  return (
    `${opening(request.isProbe === true ? 'debug' : 'info', context, request)},"status":${status},"bytes":${bytes},"microversion":${version}` +
    `,"duration_ms":${Math.round(durationMs * MICROSECONDS) / MICROSECONDS},"message":"${endSentence(request)}"}\n`
  );
};
