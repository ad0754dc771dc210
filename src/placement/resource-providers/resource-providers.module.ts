import { Module } from '@nestjs/common';
import { ProviderLookup } from '../../platform/http/provider-lookup';
import { ResourceClassesModule } from '../resource-classes/resource-classes.module';
import { TraitsModule } from '../traits/traits.module';
import { KnownProviders } from './known-providers';
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
    KnownProviders,
    { provide: ProviderLookup, useExisting: ResourceProvidersService },
  ],
  exports: [ResourceProvidersService, ProviderIds, KnownProviders, ProviderLookup],
})
export class ResourceProvidersModule {}
