import { Module } from '@nestjs/common';
import { ProviderTraitsController } from './provider-traits.controller';
import { ProviderTraitsService } from './provider-traits.service';
import { TraitsModule } from '../traits/traits.module';

/** Apart from TraitsModule, which the providers' module imports: traits as names know nothing of providers. */
@Module({
  imports: [TraitsModule],
  controllers: [ProviderTraitsController],
  providers: [ProviderTraitsService],
  exports: [ProviderTraitsService],
})
export class ProviderTraitsModule {}
