import { Module } from '@nestjs/common';
import { ProviderLookup } from '../../platform/http/provider-lookup';
import { ResourceClassesModule } from '../resource-classes/resource-classes.module';
import { TraitsModule } from '../traits/traits.module';
import { ProviderIds } from './provider-ids';
import { ResourceProvidersController } from './resource-providers.controller';
import { ResourceProvidersService } from './resource-providers.service';

@Module({
  imports: [ResourceClassesModule, TraitsModule],
  controllers: [ResourceProvidersController],
  providers: [
    ResourceProvidersService,
    ProviderIds,
    { provide: ProviderLookup, useExisting: ResourceProvidersService },
  ],
  exports: [ResourceProvidersService, ProviderIds, ProviderLookup],
})
export class ResourceProvidersModule {}
