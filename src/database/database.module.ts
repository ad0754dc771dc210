// Provides Database to every slice: on data sources that TypeORM's Nest module opens and closes, or on a pool of ours.
import { Global, Inject, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { TypeOrmModule, getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ChangeLogMaintenance } from './change-log-maintenance';
import { closeSources } from './connections';
import type { ConnectionSources } from './connections';
import { SOURCE_NAMES, dataSourceOptions } from './data-source';
import type { DatabaseTarget, SqliteTarget } from './data-source';
import { Database } from './database';
import type { DatabaseLog, DatabaseSettings } from './database';
import { DatabaseHealth } from './database-health';
import { MysqlPool } from './mysql-pool';
import { mysqlSources } from './open-sources';
import { SqliteSource } from './sqlite-connection';

const SOURCES = Symbol('connections to the database');

export interface DatabaseModuleOptions {
  readonly target: DatabaseTarget;
  readonly settings: DatabaseSettings;
  readonly retentionSeconds: number;
  readonly log: DatabaseLog;
}

@Global()
@Module({})
export class DatabaseModule implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly maintenance: ChangeLogMaintenance,
    @Inject(SOURCES) private readonly sources: ConnectionSources,
  ) {}

  static forRoot({ target, settings, retentionSeconds, log }: DatabaseModuleOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: target.kind === 'mysql' ? [] : sqliteModules(target),
      providers: [
        target.kind === 'mysql'
          ? { provide: SOURCES, useFactory: () => mysqlSources(new MysqlPool(target, log)) }
          : {
              provide: SOURCES,
              inject: SOURCE_NAMES.map((name) => getDataSourceToken(name)),
              useFactory: sqliteSources,
            },
        {
          provide: Database,
          inject: [SOURCES],
          useFactory: (sources: ConnectionSources) => new Database(sources, settings),
        },
        {
          provide: DatabaseHealth,
          inject: [Database],
          useFactory: (db: Database) => new DatabaseHealth(db, settings.processName, log),
        },
        {
          provide: ChangeLogMaintenance,
          inject: [Database],
          useFactory: (db: Database) => new ChangeLogMaintenance(db, retentionSeconds, log),
        },
      ],
      exports: [Database, DatabaseHealth],
    };
  }

  onModuleInit(): void {
    this.maintenance.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.maintenance.stop();
  }

  /** Last: what is destroyed with other modules may still have something to write. */
  async onApplicationShutdown(): Promise<void> {
    await closeSources(this.sources);
  }
}

const sqliteModules = (target: SqliteTarget): DynamicModule[] =>
  SOURCE_NAMES.map((name) =>
    TypeOrmModule.forRoot({ ...dataSourceOptions(target, name), name, retryAttempts: 0, migrationsRun: false }),
  );

const sqliteSources = (writer: DataSource, reader: DataSource, snapshot: DataSource): ConnectionSources => ({
  writer: new SqliteSource(writer),
  reader: new SqliteSource(reader),
  snapshot: new SqliteSource(snapshot),
});
