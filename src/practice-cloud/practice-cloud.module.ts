// Wiring of the practice cloud: selects the APIs to serve. Each API has a folder.
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ComputeModule } from '../compute/compute.module';
import { RegisteredImage } from '../compute/images/image.entity';
import { Authenticator } from '../platform/auth/principal';
import { ComputeAggregatesController } from './compute/aggregates/compute-aggregates.controller';
import { ComputeFlavorsController } from './compute/flavors/compute-flavors.controller';
import { ComputeFlavorsService } from './compute/flavors/compute-flavors.service';
import { ComputeHosts } from './compute/hypervisors/compute-hosts.service';
import { ComputeHypervisorsController } from './compute/hypervisors/compute-hypervisors.controller';
import { ComputeKeypairsController } from './compute/keypairs/compute-keypairs.controller';
import { Keypairs } from './compute/keypairs/keypairs.repository';
import { ComputeQuotasController } from './compute/quotas.controller';
import { ComputeServerGroupsController } from './compute/server-groups/compute-server-groups.controller';
import { NewServersService } from './compute/servers/new-servers.service';
import { PlacementOfServers } from './compute/servers/placement-of-servers';
import { ComputeServerActionsController } from './compute/servers/server-actions.controller';
import { ServerActionsService } from './compute/servers/server-actions.service';
import { ServerViews } from './compute/servers/server-views.service';
import { ComputeServersController } from './compute/servers/servers.controller';
import { ServersService } from './compute/servers/servers.service';
import { VisibleReferences } from './compute/servers/visible-references';
import { ComputeServicesController } from './compute/services/compute-services.controller';
import { ComputeZonesController } from './compute/zones.controller';
import { EmptyComputeLists, EmptyIdentityLists, EmptyNetworkLists } from './empty-lists';
import { VirtualHosts } from './hosts/virtual-hosts.service';
import { Catalog } from './identity/catalog';
import { IdentityController } from './identity/identity.controller';
import { NamesController } from './identity/names.controller';
import { TokenIssuer } from './identity/token-issuer';
import { PracticeImagesController } from './image/images.controller';
import { PracticeImages } from './image/images.repository';
import { PracticeImagesService } from './image/images.service';
import { NetworkController } from './network/network.controller';
import type { PracticeCloudConfig } from './options';
import { hasIdentity, isPracticeCloudOn } from './practice-cloud-config';
import { ComputeVersionsController, ImageVersionsController } from './versions.controller';

@Module({
  imports: [ComputeModule, TypeOrmModule.forFeature([RegisteredImage])],
  controllers: [
    ComputeVersionsController,
    ComputeFlavorsController,
    ComputeAggregatesController,
    ComputeZonesController,
    ComputeServicesController,
    ComputeHypervisorsController,
    ComputeServerGroupsController,
    ComputeKeypairsController,
    ComputeQuotasController,
    ComputeServersController,
    ComputeServerActionsController,
    EmptyComputeLists,
    ImageVersionsController,
    PracticeImagesController,
    NetworkController,
    EmptyNetworkLists,
  ],
  providers: [
    ComputeFlavorsService,
    ComputeHosts,
    PracticeImages,
    PracticeImagesService,
    Keypairs,
    NewServersService,
    PlacementOfServers,
    ServerActionsService,
    ServersService,
    ServerViews,
    VirtualHosts,
    VisibleReferences,
  ],
})
export class PracticeCloudModule {
  /** Empty if the practice cloud is off. */
  static forRoot(
    config: PracticeCloudConfig,
    { authenticator, scheduler }: { readonly authenticator: Authenticator; readonly scheduler: DynamicModule },
  ): readonly DynamicModule[] {
    if (!isPracticeCloudOn(config)) return [];
    const identity = {
      controllers: [IdentityController, NamesController, EmptyIdentityLists],
      providers: [TokenIssuer, Catalog, { provide: Authenticator, useValue: authenticator }],
    };
    return [{ module: PracticeCloudModule, imports: [scheduler], ...(hasIdentity(config) && identity) }];
  }
}
