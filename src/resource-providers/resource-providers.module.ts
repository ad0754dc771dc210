import { Module } from '@nestjs/common';
import { ProviderLookup } from '../http/provider-lookup';
import { ResourceClassesModule } from '../resource-classes/resource-classes.module';
import { TraitsModule } from '../traits/traits.module';
import { ProviderIds } from './provider-ids';
import { ProviderListService } from './provider-list.service';
import { ResourceProvidersController } from './resource-providers.controller';
import { ResourceProvidersService } from './resource-providers.service';

@Module({
  imports: [ResourceClassesModule, TraitsModule],
  controllers: [ResourceProvidersController],
  providers: [
    ResourceProvidersService,
    ProviderListService,
    ProviderIds,
    { provide: ProviderLookup, useExisting: ResourceProvidersService },
  ],
  exports: [ResourceProvidersService, ProviderIds, ProviderLookup],
})
export class ResourceProvidersModule {}
