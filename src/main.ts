// Entry point of the service: reads the configuration, starts, listens, and stops in order on a signal.
import 'reflect-metadata';
import './platform/process-settings';
import type { Application } from './application';
import { createApplication } from './application';
import type { LoadedConfiguration } from './load-configuration';
import { loadConfiguration } from './load-configuration';
import type { BerthConfig } from './options';
import { OPTION_TABLE } from './options';
import { MICROVERSIONS } from './placement/microversions';
import { describeConfig } from './platform/config/describe-config';
import { PROCESS_LIMITS } from './platform/config/limits/processes';
import { readServerTls } from './platform/config/server-tls';
import { targetOf } from './platform/database/target-of-config';
import { prepareBodySchemas } from './platform/http/schema-validator';
import { logLines } from './platform/logging/log-format';
import type { Logger } from './platform/logging/logger';
import { createLogger } from './platform/logging/logger';
import { endProcess, standardError } from './platform/logging/standard-error';
import { firstSteps } from './platform/operations/first-steps';
import { runtimeWarning } from './platform/operations/runtime-warning';
import { listenRefusal, refuseTakenPort, unusable } from './platform/operations/start-refusal';
import { errorLines } from './platform/values/printable';
import { StartRefused } from './platform/values/start-refused';

/** A further signal to stop within this time is the same one, passed on. */
const SAME_SIGNAL_MS = 1_000;

async function main(): Promise<void> {
  const loaded = await loadConfiguration({ env: process.env, cwd: process.cwd() });
  const { config } = loaded;
  const { level, format } = config.logging;
  const logger = createLogger({ level, destination: logLines(format) });
  // The start reads the files once, before or after a SIGHUP that arrives meanwhile.
  const start = { hadHangup: false };
  if (!isHangup(config)) process.on('SIGHUP', () => (start.hadHangup = true));
  for (const warning of config.warnings) logger.warn(warning);
  for (const warning of readServerTls(config)?.warnings ?? []) logger.warn(warning);
  const aboutNode = runtimeWarning(process.version);
  if (aboutNode !== undefined) logger.warn(aboutNode);
  if (config.DEFAULT.log_options) logger.debug({ options: describeConfig(config, OPTION_TABLE) }, 'configuration');
  await refuseTakenPort(config.server.host, config.server.port);
  return serve(loaded, logger, start);
}

async function serve(
  loaded: LoadedConfiguration,
  logger: Logger,
  start: { readonly hadHangup: boolean },
): Promise<void> {
  const { config } = loaded;
  const application = await createApplication(loaded, logger).catch((error: unknown) => {
    throw unusable(targetOf(config), error) ?? error;
  });
  prepareBodySchemas(MICROVERSIONS.all);
  const { host, port } = config.server;
  await application.listen(port, host).catch((error: unknown) => {
    throw listenRefusal(host, port, error) ?? error;
  });
  const url = await application.app.getUrl();
  logger.info({ url, database: config.database.kind }, 'Berth is listening');
  const next = process.env['npm_lifecycle_event'] === 'start' ? 'npm run demo' : 'berth hosts';
  if (process.stderr.isTTY) standardError().write(firstSteps(url, config.console.enabled, next));

  const stop = stopOnce(application, stopMs(config), logger);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', () => (isHangup(config) ? stop('SIGHUP') : application.renewCertificates()));
  if (start.hadHangup) application.renewCertificates();
}

/**
 * Signal handler: the first signal stops the service, a later one ends the drain time. The process exits at the
 * deadline even if work is still running.
 */
function stopOnce(application: Application, withinMs: number, logger: Logger): (signal: string) => void {
  let begunAt: number | undefined;
  const end = (code: number): void => void endProcess(code, (begunAt ?? 0) + withinMs);
  return (signal) => {
    // A terminal signals its whole process group, and process managers pass signals on, so one signal can arrive twice.
    if (begunAt !== undefined) {
      if (performance.now() - begunAt > SAME_SIGNAL_MS) application.hurry();
      return;
    }
    begunAt = performance.now();
    logger.info({ signal }, 'stopping: running requests may finish');
    setTimeout(() => {
      logger.error('the stop took too long; the process ends as it is');
      end(1);
    }, withinMs + PROCESS_LIMITS.stopMarginMs).unref();
    application.stop().then(
      () => end(0),
      (error: unknown) => {
        logger.error({ err: error }, 'the stop failed');
        end(1);
      },
    );
  };
}

/** The drain time plus the grace time. After it, every request has ended or is cut off. */
const stopMs = ({ berth }: BerthConfig): number =>
  (berth.shutdown_drain_seconds + berth.shutdown_grace_seconds) * 1_000;

/** True if SIGHUP means that the terminal was closed; otherwise it means that files must be reloaded. */
const isHangup = ({ berth, audit }: BerthConfig): boolean => {
  const hasFiles = berth.tls_cert !== null || (audit.enabled && audit.log_file !== '');
  return !hasFiles && process.stderr.isTTY;
};

// The message of a refusal says what to change; its stack would not help.
main().catch((error: unknown) => {
  if (error instanceof StartRefused) standardError().write(errorLines(error));
  else createLogger({ level: 'error' }).fatal({ err: error }, 'Berth could not start');
  return endProcess(1);
});
