// Creates the request watcher from the configuration; none unless traces or slow requests are enabled. OpenTelemetry is
// an optional package, loaded only if traces are sent.
import type { PlatformConfig } from '../config/platform-config';
import type { LogContext } from '../logging/log-context';
import { contextFields } from '../logging/log-context';
import type { WarnLog } from '../logging/logger.token';
import { StartRefused } from '../values/start-refused';
import { OPTIONAL_PACKAGES, VERSION } from '../version';
import { RequestWatcher } from './request-watcher';
import { SlowRequests } from './slow-requests';
import type { Spans } from './spans';
import type { WatchedRequest } from './tracing';

const MILLISECONDS = 1_000;

/** Throws StartRefused if traces are enabled and OpenTelemetry is not installed. */
export async function watcherOf(
  { berth, tracing }: Pick<PlatformConfig, 'berth' | 'tracing'>,
  log: WarnLog,
): Promise<RequestWatcher | undefined> {
  const slowMs = berth.slow_request_seconds * MILLISECONDS;
  if (tracing === null && slowMs === 0) return undefined;
  const spans = tracing === null ? undefined : new (await loadSpans())(tracing, VERSION);
  const slow = slowMs === 0 ? undefined : new SlowRequests(slowMs, log);
  return new RequestWatcher(spans, slow, (request) => contextFields(request as WatchedRequest & LogContext));
}

async function loadSpans(): Promise<typeof Spans> {
  try {
    return (await import('./spans.ts')).Spans;
  } catch (error) {
    if (!/MODULE_NOT_FOUND/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new StartRefused(
      'traces are to be sent (OTEL_EXPORTER_OTLP_ENDPOINT), but OpenTelemetry is not installed. ' +
        `Install it with: npm install ${OPTIONAL_PACKAGES.join(' ')}`,
      { cause: error },
    );
  }
}
