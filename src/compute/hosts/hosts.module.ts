import { Module } from '@nestjs/common';
import { InventoriesModule } from '../../placement/inventories/inventories.module';
import { ResourceProvidersModule } from '../../placement/resource-providers/resource-providers.module';
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
