// Builds the TypeORM data sources. MySQL: one pool for everything. SQLite: one connection that writes, one that reads
// single statements, one that reads consistent snapshots, because concurrent transactions on one connection interleave.
import type { DataSourceOptions } from 'typeorm';
import { DataSource } from 'typeorm';
import { Initial1700000000001 } from '../../migrations/0001-initial';
import { Scheduler1700000000002 } from '../../migrations/0002-scheduler';
import { SchedulerDecisions1700000000003 } from '../../migrations/0003-scheduler-decisions';
import { SchedulerMoves1700000000004 } from '../../migrations/0004-scheduler-moves';
import { SchedulerBatches1700000000005 } from '../../migrations/0005-scheduler-batches';
import { DATABASE_LIMITS } from '../config/limits';
import { ENTITIES } from './entities';

/** In the order in which they run. */
export const MIGRATIONS = [
  Initial1700000000001,
  Scheduler1700000000002,
  SchedulerDecisions1700000000003,
  SchedulerMoves1700000000004,
  SchedulerBatches1700000000005,
] as const;

export type DatabaseTarget =
  | { readonly kind: 'sqlite'; readonly path: string; readonly isSynchronousFull: boolean }
  | {
      readonly kind: 'mysql';
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
      readonly poolSize: number;
      readonly socketPath?: string;
      readonly tls?: { readonly ca: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
    };

export const SOURCE_NAMES = ['writer', 'reader', 'snapshot'] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

interface SqliteHandle {
  pragma(source: string): unknown;
}

/** Options of one data source. On MySQL all three names mean the writer's pool. */
export function dataSourceOptions(target: DatabaseTarget, name: SourceName): DataSourceOptions {
  const shared = {
    entities: [...ENTITIES],
    migrations: [...MIGRATIONS],
    migrationsTableName: 'berth_migrations',
    synchronize: false,
    logging: false,
  };
  if (target.kind === 'mysql') {
    return {
      ...shared,
      type: 'mysql',
      host: target.host,
      port: target.port,
      username: target.user,
      password: target.password,
      database: target.database,
      charset: 'utf8mb4',
      timezone: 'Z',
      poolSize: target.poolSize,
      // Counts and keys stay below 2^53, so they arrive as numbers; anything larger would arrive as text.
      supportBigNumbers: true,
      bigNumberStrings: false,
      // Statements that do not wait for each other travel together (connections.ts).
      multipleStatements: true,
      connectTimeout: DATABASE_LIMITS.connectTimeoutMs,
      ...(target.socketPath !== undefined && { socketPath: target.socketPath }),
      ...(target.tls !== undefined && { ssl: { ...target.tls } }),
    };
  }
  return {
    ...shared,
    type: 'better-sqlite3',
    database: target.path,
    readonly: name !== 'writer',
    enableWAL: name === 'writer',
    // A wait for another process's lock blocks this whole process, so it is short and the retries wait outside.
    timeout: DATABASE_LIMITS.sqliteBusyTimeoutMs,
    prepareDatabase: (handle: SqliteHandle) => {
      handle.pragma(`synchronous = ${target.isSynchronousFull ? 'FULL' : 'NORMAL'}`);
    },
  };
}

/** The data sources a target needs, in the order in which they must be opened. */
export function sourceNames(target: DatabaseTarget): readonly SourceName[] {
  return target.kind === 'mysql' ? ['writer'] : SOURCE_NAMES;
}

/** Opens one data source outside Nest, for commands and tests. */
export async function openSource(target: DatabaseTarget, name: SourceName): Promise<DataSource> {
  return new DataSource(dataSourceOptions(target, name)).initialize();
}
