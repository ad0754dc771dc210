// Wiring of the Compute API.
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ComputeModule } from '../../compute/compute.module';
import { FacadeImageModule } from '../image/image.module';
import { ComputeAggregatesController } from './aggregates/compute-aggregates.controller';
import { ComputeFixedLists, ServerFixedLists } from './fixed-lists';
import { ComputeFlavorsController } from './flavors/compute-flavors.controller';
import { ComputeFlavorsService } from './flavors/compute-flavors.service';
import { ComputeHostsController } from './hypervisors/compute-hosts.controller';
import { ComputeHosts } from './hypervisors/compute-hosts.service';
import { ComputeHypervisorsController } from './hypervisors/compute-hypervisors.controller';
import { ComputeKeypairsController } from './keypairs/compute-keypairs.controller';
import { Keypairs } from './keypairs/keypairs.repository';
import { ComputeQuotasController } from './quotas.controller';
import { ComputeServerGroupsController } from './server-groups/compute-server-groups.controller';
import { NewServersService } from './servers/new-servers.service';
import { PlacementOfServers } from './servers/placement-of-servers';
import { ComputeServerActionsController } from './servers/server-actions.controller';
import { ServerActionsService } from './servers/server-actions.service';
import { ServerViews } from './servers/server-views.service';
import { ComputeServersController } from './servers/servers.controller';
import { ServersService } from './servers/servers.service';
import { VisibleReferences } from './servers/visible-references';
import { ComputeServicesController } from './services/compute-services.controller';
import { ComputeZonesController } from './zones.controller';

@Module({})
export class ComputeApiModule {
  static forRoot(scheduler: DynamicModule): DynamicModule {
    return {
      module: ComputeApiModule,
      imports: [ComputeModule, FacadeImageModule, scheduler],
      controllers: [
        ComputeFlavorsController,
        ComputeAggregatesController,
        ComputeZonesController,
        ComputeServicesController,
        ComputeHypervisorsController,
        ComputeHostsController,
        ComputeServerGroupsController,
        ComputeFixedLists,
        ComputeKeypairsController,
        ComputeQuotasController,
        ServerFixedLists,
        ComputeServersController,
        ComputeServerActionsController,
      ],
      providers: [
        ComputeFlavorsService,
        ComputeHosts,
        Keypairs,
        NewServersService,
        PlacementOfServers,
        ServersService,
        ServerViews,
        ServerActionsService,
        VisibleReferences,
      ],
    };
  }
}
