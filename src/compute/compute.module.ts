// Wiring of what the scheduler knows of the cloud: the registries, and the instances that Berth placed.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AggregatesModule } from '../placement/aggregates/aggregates.module';
import { AllocationCandidatesModule } from '../placement/allocation-candidates/allocation-candidates.module';
import { AllocationsModule } from '../placement/allocations/allocations.module';
import { InventoriesModule } from '../placement/inventories/inventories.module';
import { ProviderTraitsModule } from '../placement/provider-traits/provider-traits.module';
import { ResourceClassesModule } from '../placement/resource-classes/resource-classes.module';
import { ResourceProvidersModule } from '../placement/resource-providers/resource-providers.module';
import { TraitsModule } from '../placement/traits/traits.module';
import { BERTH_CONFIG } from '../platform/config/config.module';
import { AvailabilityZonesController } from './availability-zones/availability-zones.controller';
import { AvailabilityZones } from './availability-zones/availability-zones.loader';
import { DefinitionRules } from './definition-rules';
import { FactsInForce } from './facts-in-force';
import { RegisteredFlavor } from './flavors/flavor.entity';
import { FlavorsController } from './flavors/flavors.controller';
import { FlavorsService } from './flavors/flavors.service';
import { RegisteredAggregate } from './host-aggregates/host-aggregate.entity';
import { HostAggregatesController } from './host-aggregates/host-aggregates.controller';
import { HostAggregatesService } from './host-aggregates/host-aggregates.service';
import { HostsController } from './hosts/hosts.controller';
import { HostsService } from './hosts/hosts.service';
import { RegisteredImage } from './images/image.entity';
import { ImagesController } from './images/images.controller';
import { ImagesService } from './images/images.service';
import { InstancesController } from './instances/instances.controller';
import { InstancesService } from './instances/instances.service';
import { ReleasedInstances } from './instances/released-instances';
import { PlacementMirror } from './placement-mirror.service';
import { RegistriesConfig, registriesConfigOf } from './registries.config';
import { ServerGroup, ServerGroupMember } from './server-groups/server-group.entity';
import { ServerGroupsController } from './server-groups/server-groups.controller';
import { ServerGroupsService } from './server-groups/server-groups.service';
import { ComputeService } from './services/service.entity';
import { ServicesController } from './services/services.controller';
import { ServicesService } from './services/services.service';

const SERVICES = [
  AvailabilityZones,
  DefinitionRules,
  FactsInForce,
  FlavorsService,
  HostAggregatesService,
  HostsService,
  ImagesService,
  InstancesService,
  ServerGroupsService,
  ServicesService,
];

@Module({
  imports: [
    AggregatesModule,
    AllocationCandidatesModule,
    AllocationsModule,
    InventoriesModule,
    ProviderTraitsModule,
    ResourceClassesModule,
    ResourceProvidersModule,
    TraitsModule,
    TypeOrmModule.forFeature([
      ComputeService,
      RegisteredAggregate,
      RegisteredFlavor,
      RegisteredImage,
      ServerGroup,
      ServerGroupMember,
    ]),
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
    ...SERVICES,
    PlacementMirror,
    ReleasedInstances,
    { provide: RegistriesConfig, inject: [BERTH_CONFIG], useFactory: registriesConfigOf },
  ],
  exports: [...SERVICES, RegistriesConfig],
})
export class ComputeModule {}
