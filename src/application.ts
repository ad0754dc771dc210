// From a configuration to a running application: prepares the database, builds the web application, ends it in order.
// Used by main.ts and by every test that needs the whole service.
import type { LoggerService } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module';
import { authenticateNoauth2 } from './auth/noauth2';
import { loadPolicy } from './auth/load-policy';
import { createPolicyEnforcer } from './auth/policy-enforcer';
import type { BerthConfig } from './config/berth-config';
import { DATABASE_LIMITS } from './config/limits';
import { openSource } from './database/data-source';
import type { DatabaseTarget } from './database/data-source';
import { Database } from './database/database';
import { isMigrated, migrate } from './database/migrate';
import { settledTarget } from './database/mysql-hosts';
import { syncStandardNames } from './database/standard-names';
import { targetOf } from './database/target-of-config';
import { Cors } from './http/cors';
import type { EdgeLog, EdgeSettings, LoggedRequest } from './http/edge';
import { createHttpApplication } from './http/http-application';
import { createAccessLog } from './logging/access-log';
import type { AccessLog, RequestStart } from './logging/access-log';
import type { Logger } from './logging/logger';
import { createNestLogger } from './logging/nest-logger';
import { Lifecycle } from './operations/lifecycle';
import { StartRefused, refusalOf } from './operations/start-refusal';
import { entriesWithoutEffect, schedulerOf, settingsWithoutEffect } from './scheduler/scheduler-of-config';
import type { LoadedConfig } from './scheduler/scheduler-of-config';
import { VERSION } from './version';

export interface Application {
  readonly app: NestFastifyApplication;
  readonly database: Database;
  /** URL pattern to methods, as the controllers registered them. */
  readonly routes: ReadonlyMap<string, readonly string[]>;
  /** Lets running requests end within the grace time, then closes connections and pools. */
  stop(): Promise<void>;
}

/** A service that is initialised but does not listen yet. */
export async function createApplication(
  loaded: LoadedConfig,
  logger: Logger,
  accessLog: AccessLog = createAccessLog({ level: loaded.config.logging.level }),
): Promise<Application> {
  const { config } = loaded;
  const scheduler = schedulerOf(loaded, VERSION);
  for (const option of settingsWithoutEffect(loaded))
    logger.warn({ option }, 'this option has no effect in this version');
  for (const warning of entriesWithoutEffect(loaded)) logger.warn(warning);
  for (const { part } of scheduler.parts.filters) {
    if (part.warning !== null) logger.warn({ filter: part.name }, `the filter ${part.name} ${part.warning}`);
  }
  const policy = loadPolicy(config);
  for (const warning of policy.warnings) logger.warn(warning);
  await prepareDatabase(loaded, logger);
  const lifecycle = new Lifecycle();
  const { app, routes, connections } = await createHttpApplication({
    module: AppModule.forRoot({ loaded, logger, lifecycle, scheduler }),
    edge: edgeSettings(config, accessLog, lifecycle),
    policies: createPolicyEnforcer({
      enforceNewDefaults: config.oslo_policy.enforce_new_defaults,
      enforceScope: config.oslo_policy.enforce_scope,
      overrides: policy.overrides,
    }),
    log: logger,
    nestLogger: createNestLogger(logger) satisfies LoggerService,
  });
  const database = app.get(Database);
  const added = await syncStandardNames(database, Date.now());
  if (added > 0) logger.info({ added }, 'standard resource classes and traits synchronised');
  return {
    app,
    database,
    routes,
    stop: async () => {
      lifecycle.drain();
      connections.letGo();
      await withGrace(app.close(), config.berth.shutdown_grace_seconds, logger);
    },
  };
}

/** Reaches the database, waiting for it as configured, and brings its schema up to date. */
async function prepareDatabase({ config, reload }: LoadedConfig, logger: Logger): Promise<void> {
  const configured = targetOf(config, reload);
  const [target, source] = await reached(configured, config, logger, async () => {
    const settled = await settledTarget(configured, logger);
    return [settled, await openSource(settled, 'writer')] as const;
  });
  try {
    if (config.berth.auto_migrate) {
      const done = await withinTime(migrate(source, target), DATABASE_LIMITS.migrationTimeoutMs);
      if (done.length > 0) logger.info({ migrations: done }, 'database schema brought up to date');
    } else if (!(await isMigrated(source))) {
      throw new Error('the database schema is not up to date: run "berth migrate", or set [berth] auto_migrate = true');
    }
  } catch (error) {
    throw refusalOf(target, error) ?? error;
  } finally {
    await source.destroy();
  }
}

/** Waits for what may pass by itself; the rest is refused at once. */
async function reached<T>(
  target: DatabaseTarget,
  config: BerthConfig,
  logger: Logger,
  open: () => Promise<T>,
): Promise<T> {
  const { max_retries: retries, retry_interval: seconds } = config.placement_database;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      const refusal = refusalOf(target, error);
      if (refusal !== undefined) throw refusal;
      if (retries >= 0 && attempt > retries) throw error;
      const path = target.kind === 'sqlite' ? { path: target.path } : {};
      logger.warn({ attempt, ...path, reason: (error as Error).message }, 'the database cannot be reached yet');
      await new Promise((resume) => setTimeout(resume, seconds * 1000));
    }
  }
}

async function withinTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new StartRefused('the database did not migrate in time')), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function edgeSettings(config: BerthConfig, accessLog: AccessLog, lifecycle: Lifecycle): EdgeSettings {
  const { cors } = config;
  return {
    urlPrefix: config.berth.url_prefix.replace(/\/+$/, ''),
    isBehindProxy: config.oslo_middleware.enable_proxy_headers_parsing,
    authenticate: (request) => authenticateNoauth2(request.headers),
    cors:
      cors.allowed_origin.length === 0
        ? undefined
        : new Cors({
            allowedOrigins: cors.allowed_origin,
            allowCredentials: cors.allow_credentials,
            exposeHeaders: cors.expose_headers,
            maxAgeSeconds: cors.max_age,
            allowMethods: cors.allow_methods,
            allowHeaders: cors.allow_headers,
          }),
    isDraining: () => lifecycle.isDraining,
    log: edgeLog(accessLog),
  };
}

function edgeLog(log: AccessLog): EdgeLog {
  const facts = (request: LoggedRequest): RequestStart => ({
    remote: request.berth.remoteAddress,
    method: request.method,
    path: request.originalUrl,
    isProbe: request.berth.surface === 'operations',
  });
  return {
    started: (request) => log.started(request.berth, facts(request)),
    ended: (request, { status, bytes }) => {
      log.ended(request.berth, {
        ...facts(request),
        ...{ status, bytes },
        microversion: request.berth.api?.text ?? null,
        durationMs: performance.now() - request.berth.startedAt,
      });
    },
  };
}

async function withGrace(closing: Promise<void>, seconds: number, logger: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resume) => {
    timer = setTimeout(() => {
      logger.warn({ seconds }, 'requests were still running when the time to finish them was over');
      resume();
    }, seconds * 1000);
  });
  await Promise.race([closing, late]);
  clearTimeout(timer);
}
