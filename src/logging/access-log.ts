// The access log: one DEBUG line when a request starts, one INFO line when it ends. Timing and counting is done by whoever
// handles the request.

import type { Logger } from './logger';

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

/** Control characters and quotes of a path cannot forge another line. */
const printable = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replace(/[\u0000-\u001f"\\\u007f\u2028\u2029]/g, (character) => encodeURIComponent(character));

/** The sentence of a finished request: remote, request, status, length, microversion; `-` for what is not known. */
export const accessLine = ({ remote, method, path, status, bytes, microversion, durationMs }: RequestEnd): string =>
  `${printable(remote)} "${printable(method)} ${printable(path)}" status: ${status} len: ${bytes ?? '-'} ` +
  `microversion: ${microversion ?? '-'} time: ${durationMs.toFixed(1)} ms`;

export const logRequestStart = (logger: Logger, request: RequestStart): void => {
  if (!logger.isLevelEnabled('debug')) return;
  const { remote, method, path } = request;
  logger.debug(
    { remote, method, path },
    `Starting request: ${printable(remote)} "${printable(method)} ${printable(path)}"`,
  );
};

export const logRequestEnd = (logger: Logger, request: RequestEnd): void => {
  if (!logger.isLevelEnabled('info')) return;
  const { durationMs, ...facts } = request;
  logger.info({ ...facts, duration_ms: durationMs }, accessLine(request));
};
