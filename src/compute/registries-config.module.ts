import { Module } from '@nestjs/common';
import { BERTH_CONFIG } from '../platform/config/config.module';
import { FactsInForce } from './facts-in-force';
import { REGISTRIES_CONFIG, registriesConfigOf } from './registries.config';

@Module({
  providers: [FactsInForce, { provide: REGISTRIES_CONFIG, inject: [BERTH_CONFIG], useFactory: registriesConfigOf }],
  exports: [REGISTRIES_CONFIG, FactsInForce],
})
export class RegistriesConfigModule {}
