import type { DynamicModule } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import type { PlatformConfig } from './platform-config';

export const BERTH_CONFIG = Symbol('the configuration');

/** Provides the configuration to every slice. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: PlatformConfig): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: BERTH_CONFIG, useValue: config }],
      exports: [BERTH_CONFIG],
    };
  }
}
