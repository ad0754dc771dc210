// Wiring of an audit: the services of the Placement API on Berth's database, without a server.
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { AggregatesModule } from '../../placement/aggregates/aggregates.module';
import { AllocationsModule } from '../../placement/allocations/allocations.module';
import { ProviderTraitsModule } from '../../placement/provider-traits/provider-traits.module';
import { ResourceProvidersModule } from '../../placement/resource-providers/resource-providers.module';
import { ConfigModule } from '../../platform/config/config.module';
import type { PlatformConfig } from '../../platform/config/platform-config';
import { DatabaseModule } from '../../platform/database/database.module';
import { settingsOf, targetOf } from '../../platform/database/target-of-config';
import type { Logger } from '../../platform/logging/logger';
import { LoggingModule } from '../../platform/logging/logging.module';

interface AuditModuleInput {
  readonly config: PlatformConfig;
  readonly retentionSeconds: number;
  readonly log: Logger;
}

@Module({})
export class AuditModule {
  static forRoot({ config, retentionSeconds, log }: AuditModuleInput): DynamicModule {
    return {
      module: AuditModule,
      imports: [
        ConfigModule.forRoot(config),
        LoggingModule.forRoot(log),
        DatabaseModule.forRoot({ target: targetOf(config), settings: settingsOf(config), retentionSeconds, log }),
        AggregatesModule,
        AllocationsModule,
        ProviderTraitsModule,
        ResourceProvidersModule,
      ],
    };
  }
}
