import { Module } from '@nestjs/common';
import { AggregatesModule } from '../aggregates/aggregates.module';
import { ProviderTraitsModule } from '../provider-traits/provider-traits.module';
import { ResourceProvidersModule } from '../resource-providers/resource-providers.module';
import { PlacementMirror } from './placement-mirror.service';

@Module({
  imports: [AggregatesModule, ProviderTraitsModule, ResourceProvidersModule],
  providers: [PlacementMirror],
  exports: [PlacementMirror],
})
export class PlacementMirrorModule {}
