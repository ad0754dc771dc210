import { Module } from '@nestjs/common';
import { InventoriesModule } from '../../inventories/inventories.module';
import { ResourceProvidersModule } from '../../resource-providers/resource-providers.module';
import { PlacementMirrorModule } from '../placement-mirror.module';
import { RegistriesConfigModule } from '../registries-config.module';
import { HostsController } from './hosts.controller';
import { HostsService } from './hosts.service';

@Module({
  imports: [InventoriesModule, ResourceProvidersModule, PlacementMirrorModule, RegistriesConfigModule],
  controllers: [HostsController],
  providers: [HostsService],
  exports: [HostsService],
})
export class HostsModule {}
