// Creates the running application from a configuration: prepares the database, builds the web application and shuts it
// down in order. Used by main.ts and by every test that needs the whole service.
import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module';
import type { BuiltConsole } from './console-server/built-console';
import { readBuiltConsole } from './console-server/built-console';
import type { LoadedConfiguration } from './load-configuration';
import type { BerthConfig, BerthGroups } from './options';
import { MICROVERSIONS } from './placement/microversions';
import { syncStandardNames } from './placement/standard-names';
import { AuditLog } from './platform/audit/audit-log';
import { WriteEvents } from './platform/audit/write-events';
import { openKeystone } from './platform/auth/keystone/open-keystone';
import { loadPolicy } from './platform/auth/load-policy';
import { Noauth2Authenticator } from './platform/auth/noauth2';
import type { OriginGuardSettings } from './platform/auth/origin-guard';
import type { Authenticator } from './platform/auth/principal';
import { StaticAuthenticator } from './platform/auth/static/static-authenticator';
import { DATABASE_LIMITS } from './platform/config/limits/database';
import { readServerTls } from './platform/config/server-tls';
import type { DatabaseTarget } from './platform/database/data-source';
import { openSource } from './platform/database/data-source';
import { Database } from './platform/database/database';
import { isMigrated, migrate, newerMigrations } from './platform/database/migrate';
import { settledTarget } from './platform/database/mysql-hosts';
import { targetOf } from './platform/database/target-of-config';
import { within } from './platform/event-loop/within';
import { Admission } from './platform/http/admission';
import { Cors } from './platform/http/cors';
import type { EdgeLog, EdgeSettings, LoggedRequest } from './platform/http/edge';
import { createHttpApplication } from './platform/http/http-application';
import { RequestCounters } from './platform/http/request-counters';
import type { Servers } from './platform/http/servers';
import type { AccessLog, RequestStart } from './platform/logging/access-log';
import { createAccessLog } from './platform/logging/access-log';
import { logLines } from './platform/logging/log-format';
import type { Logger } from './platform/logging/logger';
import { createNestLogger } from './platform/logging/nest-logger';
import { maskTokens } from './platform/logging/redaction';
import { Lifecycle } from './platform/operations/lifecycle';
import { refusalOf, unusable } from './platform/operations/start-refusal';
import { watcherOf } from './platform/tracing/open-tracing';
import { tracing } from './platform/tracing/tracing';
import { StartRefused } from './platform/values/start-refused';
import { PRODUCT_FOLDER, VERSION } from './platform/version';
import { practiceCloudApis } from './practice-cloud/practice-cloud-apis';
import type { LoadedConfig } from './scheduler/assemble/configured-scheduler';
import { filterWarnings, schedulerOf } from './scheduler/assemble/configured-scheduler';
import type { SchedulerPipeline } from './scheduler/assemble/scheduler-pipeline';
import { BUILT_IN } from './scheduling-rules/pipeline/registry';

export interface Application {
  readonly app: NestFastifyApplication;
  readonly database: Database;
  /** The methods that the controllers registered for each URL pattern. */
  readonly routes: ReadonlyMap<string, readonly string[]>;
  /** Listens on every address of the host name. */
  listen(port: number, host: string): Promise<void>;
  /**
   * Reloads the files of `[berth] tls_…` for new connections. If they are invalid, the old certificates stay in use.
   */
  renewCertificates(): void;
  /** Serves during the drain time, finishes requests within the grace time, then closes connections and pools. */
  stop(): Promise<void>;
  /** Ends the drain time of a stop in progress. */
  hurry(): void;
}

const accessLogOf = ({ logging: { level, format } }: BerthConfig): AccessLog =>
  createAccessLog({ level, destination: logLines(format) });

/** Initialises a service that does not listen yet. */
export async function createApplication(
  loaded: LoadedConfiguration,
  logger: Logger,
  accessLog: AccessLog = accessLogOf(loaded.config),
  consoleFolder: string = join(PRODUCT_FOLDER, 'dist', 'console'),
): Promise<Application> {
  const { config } = loaded;
  const scheduler = schedulerOf(loaded, VERSION);
  for (const { filter, text } of filterWarnings(scheduler)) logger.warn({ filter }, text);
  const { enforcer: policies, warnings: policyWarnings } = loadPolicy(config);
  for (const warning of policyWarnings) logger.warn(warning);
  const builtConsole = await builtConsoleOf(config, consoleFolder, logger);
  const tls = readServerTls(config);
  const authenticator = authenticatorOf(config, logger, () => app.get(Database));
  // Opened before any change: a service with auditing must not run without its audit log.
  const audit = config.audit.enabled ? await AuditLog.open({ ...config.audit, cwd: config.cwd }, logger) : null;
  const watcher = await watcherOf(config, logger);
  await prepareDatabase(loaded, logger);
  tracing.watchBy(watcher);
  const lifecycle = new Lifecycle();
  const requests = new RequestCounters();
  const admission = new Admission({
    waitingOfClient: config.berth.share_queue_limit,
    isBehindProxy: config.oslo_middleware.enable_proxy_headers_parsing,
  });
  const { app, routes, connections, servers } = await createHttpApplication({
    module: AppModule.forRoot({
      policies,
      builtConsole,
      loaded,
      logger,
      lifecycle,
      scheduler,
      authenticator,
      requests,
      admission,
    }),
    edge: {
      ...edgeSettings(config, accessLog, lifecycle, authenticator, requests),
      audit: audit === null ? undefined : new WriteEvents(audit, config.audit),
    },
    policies,
    admission,
    bodyBytes: config.berth.max_body_bytes,
    log: logger,
    tls,
    nestLogger: createNestLogger(logger) satisfies LoggerService,
  });
  logFilters(scheduler, logger);
  const database = app.get(Database);
  const added = await syncStandardNames(database, Date.now());
  if (added > 0) logger.info({ added }, 'standard resource classes and traits synchronised');
  return {
    app,
    database,
    routes,
    listen: async (port, host) => {
      await app.listen(port, host);
      await servers.listenAtOtherAddresses(host);
    },
    renewCertificates: () => renewCertificates(config, servers, logger),
    stop: async () => {
      await lifecycle.drain(config.berth.shutdown_drain_seconds);
      connections.closeIdle();
      const seconds = config.berth.shutdown_grace_seconds;
      await within(seconds * 1000, app.close(), () =>
        logger.warn({ seconds }, 'requests were still running when the time to finish them was over'),
      );
      await authenticator.close();
      await audit?.close();
      tracing.watchBy(undefined);
      await watcher?.close();
    },
    hurry: () => lifecycle.hurry(),
  };
}

/** Logs one line for each active filter; those of plug-ins at level info. */
function logFilters({ parts, registry }: SchedulerPipeline, logger: Logger): void {
  for (const { part } of parts.filters) {
    const source = registry.filters.get(part.name)?.source;
    logger[source === BUILT_IN ? 'debug' : 'info']({ filter: part.name, source }, `Filter ${part.name} is initialized`);
  }
}

/** If the console was not built, only its own routes respond with an error. */
async function builtConsoleOf(
  { console: { enabled } }: BerthConfig,
  folder: string,
  logger: Logger,
): Promise<BuiltConsole | undefined> {
  if (!enabled) return undefined;
  const built = await readBuiltConsole(folder);
  if (built === undefined) logger.info({ folder }, 'the console was not built, and is not served');
  return built;
}

/** Connects to the database, with the configured retries, and updates its schema. */
async function prepareDatabase({ config, reload }: LoadedConfig<BerthGroups>, logger: Logger): Promise<void> {
  const configured = targetOf(config, reload);
  const [target, source] = await reached(configured, config, logger, async () => {
    const settled = await settledTarget(configured, logger);
    return [settled, await openSource(settled, 'writer')] as const;
  });
  try {
    // Nothing is written if nothing is to be migrated: a service starts on a full disk, and serves reads.
    const isReady = await isMigrated(source);
    if (!isReady && config.berth.auto_migrate) {
      const done = await within(DATABASE_LIMITS.migrationTimeoutMs, migrate(source, target), () => {
        throw new StartRefused('the database did not migrate in time');
      });
      if (done.length > 0) logger.info({ migrations: done }, 'database schema brought up to date');
    } else if (!isReady) {
      throw new StartRefused(
        'the database schema is not up to date: run "berth migrate", or set [berth] auto_migrate = true',
      );
    }
    const newer = await newerMigrations(source);
    if (newer.length > 0) logger.warn({ migrations: newer }, 'a newer version of Berth has migrated the database');
  } catch (error) {
    throw unusable(target, error) ?? error;
  } finally {
    await source.destroy();
  }
}

/** Retries errors that can be temporary. A permanent error ends the start at once. */
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
      if (retries >= 0 && attempt > retries) throw unusable(target, error, ` after ${attempt} attempts`) ?? error;
      const reason = (error as Error).message;
      const path = target.kind === 'sqlite' ? { path: target.path } : {};
      logger.warn({ attempt, ...path, reason }, 'the database cannot be reached yet');
      await new Promise((resume) => setTimeout(resume, seconds * 1000));
    }
  }
}

/** The configured auth strategy. Invalid files are detected before any change. */
function authenticatorOf(config: BerthConfig, logger: Logger, database: () => Database): Authenticator {
  if (config.api.auth_strategy === 'noauth2') return new Noauth2Authenticator();
  if (config.api.auth_strategy === 'static') return new StaticAuthenticator(database, logger);
  return openKeystone(config, logger);
}

function renewCertificates(config: BerthConfig, servers: Servers, logger: Logger): void {
  try {
    const tls = readServerTls(config);
    if (tls === undefined) return logger.info('there are no certificates to be read again');
    servers.renew(tls);
    for (const warning of tls.warnings) logger.warn(warning);
    logger.info({ validTo: tls.validTo }, 'new connections are served with the certificates read again');
  } catch (error) {
    logger.error({ reason: (error as Error).message }, 'the certificates stay what they were');
  }
}

/** Loopback protection for noauth2: a web page in a browser on this machine must not reach the service. */
function originGuardOf({ api, server, berth, cors }: BerthConfig): OriginGuardSettings | undefined {
  if (api.auth_strategy !== 'noauth2' || berth.allowed_hosts.includes('*')) return undefined;
  const allowedHosts = server.isLoopback || berth.allowed_hosts.length > 0 ? berth.allowed_hosts : ['*'];
  return { allowedHosts, allowedOrigins: cors.allowed_origin };
}

function edgeSettings(
  config: BerthConfig,
  accessLog: AccessLog,
  lifecycle: Lifecycle,
  authenticator: Authenticator,
  requests: RequestCounters,
): EdgeSettings {
  const { cors } = config;
  return {
    requests,
    isLoopback: config.server.isLoopback,
    microversions: MICROVERSIONS,
    urlPrefix: config.berth.url_prefix,
    isEmptyPathFree: config.api.auth_strategy === 'keystone',
    isBehindProxy: config.oslo_middleware.enable_proxy_headers_parsing,
    mounts: practiceCloudApis(config),
    authenticate: (request) => authenticator.authenticate(request),
    originGuard: originGuardOf(config),
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
    log: edgeLog(accessLog, requests),
  };
}

function edgeLog(log: AccessLog, requests: RequestCounters): EdgeLog {
  const facts = (request: LoggedRequest): Required<RequestStart> => ({
    remote: request.berth.remoteAddress,
    method: request.method,
    path: maskTokens(request.originalUrl),
    isProbe: request.berth.surface === 'operations',
  });
  return {
    started: (request) => log.started(request.berth, facts(request)),
    ended: (request, { status, bytes }) => {
      const { startedAt, headSentAt } = request.berth;
      const durationMs = performance.now() - startedAt;
      const servedMs = headSentAt === undefined ? durationMs : headSentAt - startedAt;
      requests.ended(request.berth, status, servedMs);
      tracing.requests?.ended(request.berth, {
        route: request.berth.route?.template,
        status,
        durationMs: servedMs,
      });
      const { remote, method, path, isProbe } = facts(request);
      const microversion = (request.berth.api ?? request.berth.mountedVersion)?.text ?? null;
      log.ended(request.berth, { remote, method, path, isProbe, status, bytes, microversion, durationMs });
    },
  };
}
