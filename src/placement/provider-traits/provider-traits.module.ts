import { Module } from '@nestjs/common';
import { TraitsModule } from '../traits/traits.module';
import { ProviderTraitsController } from './provider-traits.controller';
import { ProviderTraitsService } from './provider-traits.service';

/** Separate from TraitsModule, which the providers' module imports: names of traits do not depend on providers. */
@Module({
  imports: [TraitsModule],
  controllers: [ProviderTraitsController],
  providers: [ProviderTraitsService],
  exports: [ProviderTraitsService],
})
export class ProviderTraitsModule {}
