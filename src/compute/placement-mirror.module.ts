import { Module } from '@nestjs/common';
import { AggregatesModule } from '../placement/aggregates/aggregates.module';
import { ProviderTraitsModule } from '../placement/provider-traits/provider-traits.module';
import { ResourceProvidersModule } from '../placement/resource-providers/resource-providers.module';
import { PlacementMirror } from './placement-mirror.service';

@Module({
  imports: [AggregatesModule, ProviderTraitsModule, ResourceProvidersModule],
  providers: [PlacementMirror],
  exports: [PlacementMirror],
})
export class PlacementMirrorModule {}
