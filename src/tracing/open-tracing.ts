// Creates the watcher from the configuration; none unless traces or slow requests are enabled.
import type { BerthConfig } from '../config/berth-config';
import { contextFields } from '../logging/log-context';
import type { LogContext } from '../logging/log-context';
import type { WarnLog } from '../logging/logger.token';
import { VERSION } from '../version';
import { RequestWatcher } from './request-watcher';
import { SlowRequests } from './slow-requests';
import { Spans } from './spans';
import type { WatchedRequest } from './tracing';

const MILLISECONDS = 1_000;

export function watcherOf(
  { berth, tracing }: Pick<BerthConfig, 'berth' | 'tracing'>,
  log: WarnLog,
): RequestWatcher | undefined {
  const slowMs = berth.slow_request_seconds * MILLISECONDS;
  if (tracing === null && slowMs === 0) return undefined;
  const spans = tracing === null ? undefined : new Spans(tracing, VERSION);
  const slow = slowMs === 0 ? undefined : new SlowRequests(slowMs, log);
  return new RequestWatcher(spans, slow, (request) => contextFields(request as WatchedRequest & LogContext));
}
