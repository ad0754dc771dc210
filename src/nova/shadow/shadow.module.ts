// Wiring of the shadow: the scheduler with the facts of nova's databases, without a server and without the queue.
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module';
import type { PlatformConfig } from '../../platform/config/platform-config';
import { DatabaseModule } from '../../platform/database/database.module';
import { settingsOf, targetOf } from '../../platform/database/target-of-config';
import type { Logger } from '../../platform/logging/logger';
import { LoggingModule } from '../../platform/logging/logging.module';

interface ShadowModuleInput {
  readonly config: PlatformConfig;
  readonly retentionSeconds: number;
  readonly scheduler: DynamicModule;
  readonly facts: DynamicModule;
  readonly log: Logger;
}

@Module({})
export class ShadowModule {
  static forRoot({ config, retentionSeconds, scheduler, facts, log }: ShadowModuleInput): DynamicModule {
    return {
      module: ShadowModule,
      imports: [
        ConfigModule.forRoot(config),
        LoggingModule.forRoot(log),
        DatabaseModule.forRoot({ target: targetOf(config), settings: settingsOf(config), retentionSeconds, log }),
        facts,
        scheduler,
      ],
    };
  }
}
