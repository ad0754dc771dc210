// Builds the TypeORM data sources. MySQL: one, for migrations. SQLite: one connection for writes, one for single reads
// and one for consistent snapshots, because concurrent transactions on one connection would interleave.
import type { DataSourceOptions } from 'typeorm';
import { DataSource } from 'typeorm';
import { Initial1700000000001 } from '../../../migrations/0001-initial';
import { Scheduler1700000000002 } from '../../../migrations/0002-scheduler';
import { SchedulerDecisions1700000000003 } from '../../../migrations/0003-scheduler-decisions';
import { SchedulerMoves1700000000004 } from '../../../migrations/0004-scheduler-moves';
import { Holds1700000000005 } from '../../../migrations/0005-holds';
import { SchedulerBatches1700000000006 } from '../../../migrations/0006-scheduler-batches';
import { AccessTokens1700000000007 } from '../../../migrations/0007-access-tokens';
import { Imports1700000000008 } from '../../../migrations/0008-imports';
import { Facade1700000000009 } from '../../../migrations/0009-facade';
import { DecisionColumns1700000000010 } from '../../../migrations/0010-decision-columns';
import { FacadeKeypairs1700000000011 } from '../../../migrations/0011-facade-keypairs';
import { InstanceNames1700000000012 } from '../../../migrations/0012-instance-names';
import { ReportSamples1700000000013 } from '../../../migrations/0013-report-samples';
import { NovaCalls1700000000014 } from '../../../migrations/0014-nova-calls';
import { RemoteClaims1700000000015 } from '../../../migrations/0015-remote-claims';
import { ReportedProviders1700000000016 } from '../../../migrations/0016-reported-providers';
import { RefusedReports1700000000017 } from '../../../migrations/0017-refused-reports';
import { HostEvents1700000000018 } from '../../../migrations/0018-host-events';
import { Plans1700000000019 } from '../../../migrations/0019-plans';
import { DATABASE_LIMITS } from '../config/limits/database';
import { Sqlite } from './sqlite-driver';

/** In the order of execution. */
export const MIGRATIONS = [
  Initial1700000000001,
  Scheduler1700000000002,
  SchedulerDecisions1700000000003,
  SchedulerMoves1700000000004,
  Holds1700000000005,
  SchedulerBatches1700000000006,
  AccessTokens1700000000007,
  Imports1700000000008,
  Facade1700000000009,
  DecisionColumns1700000000010,
  FacadeKeypairs1700000000011,
  InstanceNames1700000000012,
  ReportSamples1700000000013,
  NovaCalls1700000000014,
  RemoteClaims1700000000015,
  ReportedProviders1700000000016,
  RefusedReports1700000000017,
  HostEvents1700000000018,
  Plans1700000000019,
] as const;

export interface SqliteTarget {
  readonly kind: 'sqlite';
  readonly path: string;
  readonly isSynchronousFull: boolean;
}

export interface HostAddress {
  readonly host: string;
  readonly port: number;
}

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export interface MysqlTarget extends Credentials {
  readonly kind: 'mysql';
  /** In order of preference, at least one; all hosts hold the same data. */
  readonly hosts: readonly HostAddress[];
  readonly database: string;
  readonly poolSize: number;
  readonly socketPath?: string;
  readonly tls?: { readonly ca: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
  /** Reads the current credentials of the configuration, for use when the database refuses the original ones. */
  readonly reread?: () => Credentials | undefined;
}

export type DatabaseTarget = SqliteTarget | MysqlTarget;

type SourceName = 'writer' | 'reader' | 'snapshot';

/** One connection holds the lock, one migrates, the others inspect tables. */
const MIGRATING_CONNECTIONS = 4;

interface SqliteHandle {
  pragma(source: string): unknown;
}

/** Options of one data source. On MySQL there is only the one for migrations; requests use mysql-pool.ts. */
function dataSourceOptions(target: DatabaseTarget, name: SourceName): DataSourceOptions {
  const shared = {
    migrations: [...MIGRATIONS],
    migrationsTableName: 'berth_migrations',
    synchronize: false,
    logging: false,
  };
  if (target.kind === 'mysql') {
    return {
      ...shared,
      type: 'mysql',
      // Uses the first host only: for several hosts, mysql-hosts.ts puts the one that can serve in front.
      ...target.hosts[0],
      username: target.user,
      password: target.password,
      database: target.database,
      charset: 'utf8mb4',
      timezone: 'Z',
      poolSize: MIGRATING_CONNECTIONS,
      // Counts and keys stay below 2^53, so they arrive as numbers; larger values would arrive as text.
      supportBigNumbers: true,
      bigNumberStrings: false,
      multipleStatements: true,
      connectTimeout: DATABASE_LIMITS.connectTimeoutMs,
      ...(target.socketPath !== undefined && { socketPath: target.socketPath }),
      ...(target.tls !== undefined && { ssl: { ...target.tls } }),
    };
  }
  return {
    ...shared,
    type: 'better-sqlite3',
    driver: Sqlite,
    database: target.path,
    readonly: name !== 'writer',
    enableWAL: name === 'writer',
    // A wait for another process's lock blocks this whole process, so the timeout is short and retries wait outside
    // SQLite.
    timeout: DATABASE_LIMITS.sqliteBusyTimeoutMs,
    prepareDatabase: (handle: SqliteHandle) => {
      handle.pragma(`synchronous = ${target.isSynchronousFull ? 'FULL' : 'NORMAL'}`);
    },
  };
}

/** Opens one data source outside Nest, for commands and tests. */
export async function openSource(target: DatabaseTarget, name: SourceName): Promise<DataSource> {
  return new DataSource(dataSourceOptions(target, name)).initialize();
}
