// Provides Database to every slice, and registers the entities of the slices.
import type { DynamicModule, OnApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Global, Inject, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { ChangeLogMaintenance } from './change-log-maintenance';
import type { ConnectionSources } from './connections';
import { closeSources } from './connections';
import type { DatabaseTarget } from './data-source';
import type { DatabaseLog, DatabaseSettings } from './database';
import { Database } from './database';
import { DatabaseHealth } from './database-health';
import { EntitySource, entitySourceOptions } from './entity-source';
import { openSources } from './open-sources';

const SOURCES = Symbol('connections to the database');

interface DatabaseModuleOptions {
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
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...entitySourceOptions(target.kind), autoLoadEntities: true, retryAttempts: 0 }),
          dataSourceFactory: async (options) => new EntitySource(options as DataSourceOptions).initialize(),
        }),
      ],
      providers: [
        { provide: SOURCES, useFactory: () => openSources(target, log) },
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

  /** Closes connections last: other modules can still write while they are destroyed. */
  async onApplicationShutdown(): Promise<void> {
    await closeSources(this.sources);
  }
}
