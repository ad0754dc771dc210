import { Module } from '@nestjs/common';
import { BERTH_CONFIG } from '../platform/config/config.module';
import { REGISTRIES_CONFIG, registriesConfigOf } from './registries.config';

@Module({
  providers: [{ provide: REGISTRIES_CONFIG, inject: [BERTH_CONFIG], useFactory: registriesConfigOf }],
  exports: [REGISTRIES_CONFIG],
})
export class RegistriesConfigModule {}
