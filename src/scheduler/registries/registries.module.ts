// Wiring of the scheduler's registries.
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AggregatesModule } from '../../aggregates/aggregates.module';
import type { BerthConfig } from '../../config/berth-config';
import { InventoriesModule } from '../../inventories/inventories.module';
import { ProviderTraitsModule } from '../../provider-traits/provider-traits.module';
import { ResourceClassesModule } from '../../resource-classes/resource-classes.module';
import { ResourceProvidersModule } from '../../resource-providers/resource-providers.module';
import { TraitsModule } from '../../traits/traits.module';
import { AvailabilityZonesController } from './availability-zones/availability-zones.controller';
import { AvailabilityZones } from './availability-zones/availability-zones.loader';
import { DefinitionRules } from './definition-rules';
import { FlavorsController } from './flavors/flavors.controller';
import { FlavorsService } from './flavors/flavors.service';
import { HostAggregatesController } from './host-aggregates/host-aggregates.controller';
import { HostAggregatesService } from './host-aggregates/host-aggregates.service';
import { HostsController } from './hosts/hosts.controller';
import { HostsService } from './hosts/hosts.service';
import { ImagesController } from './images/images.controller';
import { ImagesService } from './images/images.service';
import { InstancesController } from './instances/instances.controller';
import { ReleasedInstances } from './instances/released-instances';
import { InstancesService } from './instances/instances.service';
import { PlacementMirror } from './placement-mirror.service';
import { REGISTRIES_CONFIG, registriesConfigOf } from './registries.config';
import { ServerGroupsController } from './server-groups/server-groups.controller';
import { ServerGroupsService } from './server-groups/server-groups.service';
import { ServicesController } from './services/services.controller';
import { ServicesService } from './services/services.service';

const REGISTRIES = [
  HostsService,
  ServicesService,
  HostAggregatesService,
  AvailabilityZones,
  ServerGroupsService,
  FlavorsService,
  ImagesService,
  InstancesService,
];

@Module({})
export class RegistriesModule {
  static forRoot(config: BerthConfig): DynamicModule {
    return {
      module: RegistriesModule,
      global: true,
      imports: [
        AggregatesModule,
        InventoriesModule,
        ProviderTraitsModule,
        ResourceClassesModule,
        ResourceProvidersModule,
        TraitsModule,
      ],
      controllers: [
        HostsController,
        ServicesController,
        HostAggregatesController,
        AvailabilityZonesController,
        ServerGroupsController,
        FlavorsController,
        ImagesController,
        InstancesController,
      ],
      providers: [
        ...REGISTRIES,
        PlacementMirror,
        DefinitionRules,
        ReleasedInstances,
        { provide: REGISTRIES_CONFIG, useValue: registriesConfigOf(config) },
      ],
      exports: [...REGISTRIES, REGISTRIES_CONFIG],
    };
  }
}
