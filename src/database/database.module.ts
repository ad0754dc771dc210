// Provides Database to every slice, on data sources that TypeORM's Nest module opens and closes.
import { Global, Module } from '@nestjs/common';
import type { DynamicModule, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { TypeOrmModule, getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ChangeLogMaintenance } from './change-log-maintenance';
import { dataSourceOptions, sourceNames } from './data-source';
import type { DatabaseTarget, SourceName } from './data-source';
import { Database } from './database';
import type { DatabaseLog, DatabaseSettings } from './database';

export interface DatabaseModuleOptions {
  readonly target: DatabaseTarget;
  readonly settings: DatabaseSettings;
  readonly retentionSeconds: number;
  readonly log: DatabaseLog;
}

@Global()
@Module({})
export class DatabaseModule implements OnModuleInit, OnModuleDestroy {
  constructor(private readonly maintenance: ChangeLogMaintenance) {}

  static forRoot({ target, settings, retentionSeconds, log }: DatabaseModuleOptions): DynamicModule {
    const names = sourceNames(target);
    const sourceFor = (name: SourceName): SourceName => (names.includes(name) ? name : 'writer');
    const tokens = (['writer', 'reader', 'snapshot'] as const).map((name) => getDataSourceToken(sourceFor(name)));
    return {
      module: DatabaseModule,
      imports: names.map((name) =>
        TypeOrmModule.forRoot({ ...dataSourceOptions(target, name), name, retryAttempts: 0, migrationsRun: false }),
      ),
      providers: [
        {
          provide: Database,
          inject: tokens,
          useFactory: (writer: DataSource, reader: DataSource, snapshot: DataSource) =>
            new Database({ writer, reader, snapshot }, settings),
        },
        {
          provide: ChangeLogMaintenance,
          inject: [Database],
          useFactory: (db: Database) => new ChangeLogMaintenance(db, retentionSeconds, log),
        },
      ],
      exports: [Database],
    };
  }

  onModuleInit(): void {
    this.maintenance.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.maintenance.stop();
  }
}
