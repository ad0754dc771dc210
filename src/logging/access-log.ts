// The access log: one DEBUG line when a request starts, one INFO line when it ends. The lines are put together here
// instead of by the structured logger: there is one for every request, their fields are known and hold no secret.

import type { LogLevel } from '../config/berth-config';
import type { LogContext } from './log-context';
import { contextFields } from './log-context';
import { standardError } from './standard-error';
import type { LineStream } from './standard-error';

export interface RequestStart {
  readonly remote: string;
  readonly method: string;
  /** Path with query, as received. */
  readonly path: string;
}

export interface RequestEnd extends RequestStart {
  readonly status: number;
  /** Length of the answer's body; null where it is not known. */
  readonly bytes: number | null;
  /** Null where the version was not negotiated (yet). */
  readonly microversion: string | null;
  readonly durationMs: number;
}

export interface AccessLog {
  started(context: LogContext, request: RequestStart): void;
  ended(context: LogContext, request: RequestEnd): void;
}

export interface AccessLogSettings {
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
      if (hasEnds) stream.write(endLine(context, request));
    },
  };
};

const SILENCE: LineStream = { write: () => undefined };

/** Control characters and quotes of a path cannot forge another line. */
const printable = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replace(/[\u0000-\u001f"\\\u007f\u2028\u2029]/g, (character) => encodeURIComponent(character));

/** The sentence of a finished request: remote, request, status, length, microversion; `-` for what is not known. */
export const accessLine = ({ remote, method, path, status, bytes, microversion, durationMs }: RequestEnd): string =>
  `${printable(remote)} "${printable(method)} ${printable(path)}" status: ${status} len: ${bytes ?? '-'} ` +
  `microversion: ${microversion ?? '-'} time: ${durationMs.toFixed(1)} ms`;

/** The members of an object that has some, without its braces. */
const members = (fields: object): string => JSON.stringify(fields).slice(1, -1);

/** Same members in the same order as the structured log's. */
const opening = (level: string, context: LogContext, { remote, method, path }: RequestStart): string =>
  `{"level":"${level}","time":"${new Date().toISOString()}","pid":${process.pid},${members(contextFields(context))}` +
  `,"remote":${JSON.stringify(remote)},"method":${JSON.stringify(method)},"path":${JSON.stringify(path)}`;

const startLine = (context: LogContext, request: RequestStart): string => {
  const { remote, method, path } = request;
  const sentence = `Starting request: ${printable(remote)} "${printable(method)} ${printable(path)}"`;
  return `${opening('debug', context, request)},"message":${JSON.stringify(sentence)}}\n`;
};

const endLine = (context: LogContext, request: RequestEnd): string => {
  const { status, bytes, microversion, durationMs } = request;
  return (
    `${opening('info', context, request)},"status":${status},"bytes":${bytes}` +
    `,"microversion":${JSON.stringify(microversion)},"duration_ms":${durationMs}` +
    `,"message":${JSON.stringify(accessLine(request))}}\n`
  );
};
