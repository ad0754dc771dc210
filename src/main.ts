// The service: reads the configuration, starts, listens, and stops in order when told to.
import 'reflect-metadata';
import './process-settings';
import cluster from 'node:cluster';
import { createApplication } from './application';
import { ConfigError } from './config/load-config';
import type { BerthConfig } from './config/berth-config';
import { describeConfig } from './config/describe-config';
import { ForeignDatabase } from './database/migrate';
import { createLogger } from './logging/logger';
import type { Logger } from './logging/logger';
import { RestartPause } from './operations/restart-pause';
import { StartRefused, listenRefusal, refuseTakenPort } from './operations/start-refusal';
import { loadConfigWithPlugins } from './scheduler/scheduler-of-config';
import type { LoadedConfig } from './scheduler/scheduler-of-config';

async function main(): Promise<void> {
  const loaded = await loadConfigWithPlugins({ env: process.env, cwd: process.cwd() });
  const { config } = loaded;
  const logger = createLogger({ level: config.logging.level });
  if (cluster.isPrimary) {
    for (const warning of config.warnings) logger.warn(warning);
    if (config.DEFAULT.log_options) logger.debug({ options: describeConfig(config) }, 'configuration');
  }
  if (cluster.isPrimary) await refuseTakenPort(config.server.host, config.server.port);
  if (cluster.isPrimary && config.server.workers > 1) superviseWorkers(config, logger);
  else await serve(loaded, logger);
}

async function serve(loaded: LoadedConfig, logger: Logger): Promise<void> {
  const { config } = loaded;
  const application = await createApplication(loaded, logger);
  const { host, port } = config.server;
  await application.app.listen(port, host).catch((error: unknown) => {
    throw listenRefusal(host, port, error) ?? error;
  });
  logger.info({ url: await application.app.getUrl(), database: config.database.kind }, 'Berth is listening');

  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping: running requests may finish');
    application.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'the stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Workers are equal and share the port; one that dies is replaced, after a pause if it died young, unless at birth. */
function superviseWorkers(config: BerthConfig, logger: Logger): void {
  let isStopping = false;
  const pause = new RestartPause();
  const born = new Map<number, number>();
  const fork = (): void => {
    const worker = cluster.fork();
    born.set(worker.id, Date.now());
  };
  cluster.on('exit', (worker, code) => {
    if (isStopping) return;
    const age = Date.now() - (born.get(worker.id) ?? 0);
    if (age < MIN_WORKER_AGE_MS) {
      logger.error({ code }, 'a worker could not start; giving up');
      process.exit(1);
    }
    const pauseMs = pause.after(age);
    logger.error({ code, pauseMs }, 'a worker died and is replaced');
    setTimeout(() => {
      if (!isStopping) fork();
    }, pauseMs);
  });
  for (let count = 0; count < config.server.workers; count += 1) fork();
  const stop = (): void => {
    isStopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

const MIN_WORKER_AGE_MS = 5_000;

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    for (const problem of error.problems) process.stderr.write(`${problem}\n`);
  } else if (error instanceof StartRefused || error instanceof ForeignDatabase) {
    createLogger({ level: 'error' }).fatal({ reason: error.message }, 'Berth could not start');
  } else {
    createLogger({ level: 'error' }).fatal({ err: error }, 'Berth could not start');
  }
  process.exit(1);
});
