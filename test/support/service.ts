// The whole service in this process, on a temporary database. Tests send injected requests.
import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Application } from '../../src/application';
import { createApplication } from '../../src/application';
import { loadConfiguration } from '../../src/load-configuration';
import type { BerthConfig, BerthGroups } from '../../src/options';
import type { LoadConfigInput } from '../../src/platform/config/load-config';
import type { Database } from '../../src/platform/database/database';
import { createAccessLog } from '../../src/platform/logging/access-log';
import { createLogger } from '../../src/platform/logging/logger';
import { ApiContract } from './api-contract';
import { makeConsoleBuild } from './console-build';
import type { TestDatabaseKind } from './databases';
import { createMigratedDatabase } from './migrated-database';

export interface TestRequest {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
  readonly path: string;
  /** For example `1.39`; null sends no version header. Default: the newest. */
  readonly version?: string | null;
  /** Sent as JSON; a string or Buffer is sent unchanged. Sets the content type unless `headers` does. */
  readonly body?: unknown;
  /** A header of value null is not sent, even if it is a default. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  /** The parsed body; undefined if the body is not JSON. */
  readonly json: any;
}

export interface TestService {
  readonly app: NestFastifyApplication;
  readonly application: Application;
  readonly database: Database;
  readonly routes: ReadonlyMap<string, readonly string[]>;
  readonly config: BerthConfig;
  readonly databaseUrl: string;
  /** Throws if the answer contradicts the API document. */
  request(request: TestRequest): Promise<TestResponse>;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  readonly overrides?: LoadConfigInput<BerthGroups>['overrides'];
  readonly env?: Readonly<Record<string, string>>;
  /** Text of a configuration file. */
  readonly configuration?: string;
  /** Base of relative paths in the configuration. */
  readonly cwd?: string;
  /** Another service. This one uses its database, which stays when this one stops. */
  readonly sameDatabaseAs?: TestService;
  /** Folder of the built console; default: a small test build. */
  readonly consoleFolder?: string;
  /** Receives every log line, at level debug. */
  readonly log?: (line: string) => void;
}

/** Roles of a caller with all rights, including the reshaper. */
export const ALL_POWERFUL = { 'x-auth-token': 'admin', 'x-roles': 'admin,service' };

export async function startTestService(kind: TestDatabaseKind, options: TestServiceOptions = {}): Promise<TestService> {
  // Nest keeps the logger of the last service, of another test file too, until this one has its own.
  Logger.overrideLogger(false);
  const test =
    options.sameDatabaseAs === undefined
      ? await createMigratedDatabase(kind)
      : { url: options.sameDatabaseAs.databaseUrl };
  const loaded = await loadConfiguration({
    env: {
      DATABASE_URL: test.url,
      LOG_LEVEL: process.env['BERTH_TEST_LOG'] ?? 'silent',
      // Hosts report only once, at the beginning. A suite on a busy machine takes longer than the default down time.
      BERTH_DEFAULT__SERVICE_DOWN_TIME: '3600',
      ...options.env,
    },
    cwd: options.cwd ?? '/nonexistent',
    readFile: () => options.configuration,
    overrides: {
      ...options.overrides,
      // Suites take samples themselves, if they need any.
      berth: {
        sqlite_synchronous: 'normal',
        allowed_hosts: ['*'],
        history_interval_seconds: 0,
        ...options.overrides?.berth,
      },
    },
  });
  const { config } = loaded;
  const { log } = options;
  const lines =
    log === undefined ? { level: config.logging.level } : { level: 'debug' as const, destination: { write: log } };
  const console = makeConsoleBuild();
  const folder = options.consoleFolder ?? console.folder;
  const application = await createApplication(loaded, createLogger(lines), createAccessLog(lines), folder).finally(() =>
    console.remove(),
  );
  const contract = new ApiContract(application.app);
  return {
    app: application.app,
    application,
    database: application.database,
    routes: application.routes,
    config,
    databaseUrl: test.url,
    request: async (request) => {
      const response = await send(application.app, request);
      contract.check(request, response);
      return response;
    },
    stop: async () => {
      await application.stop();
      if ('drop' in test) await test.drop();
    },
  };
}

async function send(app: NestFastifyApplication, request: TestRequest): Promise<TestResponse> {
  const { method = 'GET', path, version = 'latest', body } = request;
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const defaults: Record<string, string | null> = {
    ...ALL_POWERFUL,
    accept: 'application/json',
    'openstack-api-version': version === null ? null : `placement ${version}`,
    'content-type': body === undefined ? null : 'application/json',
  };
  const headers = Object.fromEntries(
    Object.entries({ ...defaults, ...request.headers }).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const response = await app.inject({
    method,
    url: path,
    headers,
    ...(body !== undefined && { payload: isRaw ? body : JSON.stringify(body) }),
  });
  return { status: response.statusCode, headers: response.headers, text: response.body, json: parsed(response.body) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
