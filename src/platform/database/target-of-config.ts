// Converts the configuration into the settings of the data layer.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { CHANGE_LOG_LIMITS, DATABASE_LIMITS } from '../config/limits/database';
import type { MysqlDatabase, PlatformConfig } from '../config/platform-config';
import type { Credentials, DatabaseTarget, MysqlTarget } from './data-source';
import type { DatabaseSettings } from './database';
import { DIALECTS } from './dialects';

const SQLITE_POOL = 1;

/** `reload` reads the configuration again, for a changed password. */
export function targetOf(config: PlatformConfig, reload?: () => PlatformConfig): DatabaseTarget {
  const { database } = config;
  if (database.kind === 'sqlite') {
    return { kind: 'sqlite', path: database.path, isSynchronousFull: config.berth.sqlite_synchronous === 'full' };
  }
  const { kind, hosts, socketPath, user, password, poolSize, tls } = database;
  return {
    kind,
    hosts,
    user,
    password,
    poolSize,
    database: database.database,
    ...(reload !== undefined && { reread: () => credentialsOf(reload()) }),
    ...(socketPath !== null && { socketPath }),
    ...tlsOf(tls),
  };
}

/** Reads the files. */
export function tlsOf(tls: MysqlDatabase['tls']): Pick<MysqlTarget, 'tls'> {
  if (tls === null) return {};
  const { caFile, certFile, keyFile } = tls;
  return {
    tls: {
      ca: readFileSync(caFile),
      ...(certFile !== null && { cert: readFileSync(certFile) }),
      ...(keyFile !== null && { key: readFileSync(keyFile) }),
    },
  };
}

function credentialsOf({ database }: PlatformConfig): Credentials | undefined {
  return database.kind === 'mysql' ? { user: database.user, password: database.password } : undefined;
}

export function settingsOf(config: PlatformConfig): DatabaseSettings {
  const { database, berth } = config;
  const isMysql = database.kind === 'mysql';
  return {
    dialect: DIALECTS[database.kind],
    poolSize: isMysql ? database.poolSize : SQLITE_POOL,
    queueLength: berth.write_queue_limit,
    queueWaitMs: isMysql ? database.acquireTimeoutMs : DATABASE_LIMITS.acquireTimeoutMs,
    attempts: Math.max(config.placement.allocation_conflict_retry_count, DATABASE_LIMITS.transactionAttempts),
    backoffMs: DATABASE_LIMITS.backoffFirstMs,
    writeTimeoutMs: Math.min(
      berth.change_log_retention_seconds * CHANGE_LOG_LIMITS.transactionShareOfRetention * 1000,
      DATABASE_LIMITS.writeTimeoutMs,
    ),
    processName: `${hostname()}/${process.pid}`,
  };
}
