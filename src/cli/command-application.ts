// The configured database, and the parts of the service on it that a command needs, without a server.
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { BerthConfig } from '../options';
import { ConfigModule } from '../platform/config/config.module';
import type { PlatformConfig } from '../platform/config/platform-config';
import { DatabaseModule } from '../platform/database/database.module';
import type { AcceptedSchema } from '../platform/database/open-database';
import { openConfiguredDatabase } from '../platform/database/open-database';
import { settingsOf, targetOf } from '../platform/database/target-of-config';
import { createLogger } from '../platform/logging/logger';
import { LoggingModule } from '../platform/logging/logging.module';
import { unusable } from '../platform/operations/start-refusal';

export type OpenedDatabase = Awaited<ReturnType<typeof openConfiguredDatabase>>;

export async function withDatabase<T>(
  config: PlatformConfig,
  work: (opened: OpenedDatabase) => Promise<T>,
  accepted: AcceptedSchema = 'newest',
): Promise<T> {
  const opened = await openConfiguredDatabase(config, accepted).catch((error: unknown) => {
    throw unusable(targetOf(config), error) ?? error;
  });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

@Module({})
class CommandModule {}

/** The database must exist and have the newest schema. */
export async function openApplication(
  config: BerthConfig,
  modules: readonly (DynamicModule | Type)[],
): Promise<INestApplicationContext> {
  await withDatabase(config, () => Promise.resolve());
  const log = createLogger({ level: 'silent' });
  const retentionSeconds = config.berth.change_log_retention_seconds;
  const imports = [
    ConfigModule.forRoot(config),
    LoggingModule.forRoot(log),
    DatabaseModule.forRoot({ target: targetOf(config), settings: settingsOf(config), retentionSeconds, log }),
    ...modules,
  ];
  return NestFactory.createApplicationContext(
    { module: CommandModule, imports },
    { logger: false, abortOnError: false },
  );
}
