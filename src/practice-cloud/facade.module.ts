// Wiring of the facade: selects the APIs to serve. Each API has a folder.
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { Authenticator } from '../platform/auth/principal';
import { ComputeApiModule } from './compute/compute.module';
import { hasIdentity, isFacadeOn } from './facade-config';
import { VirtualHostsModule } from './hosts/virtual-hosts.module';
import { IdentityModule } from './identity/identity.module';
import { FacadeImageModule } from './image/image.module';
import { NetworkLists, NetworkVersionsController } from './network/network.controller';
import type { FacadeConfig } from './options';
import { ComputeVersionsController, ImageVersionsController } from './versions.controller';

@Module({ controllers: [ComputeVersionsController, ImageVersionsController, NetworkVersionsController, NetworkLists] })
export class FacadeModule {
  /** Empty if the facade is off. */
  static forRoot(
    config: FacadeConfig,
    { authenticator, scheduler }: { readonly authenticator: Authenticator; readonly scheduler: DynamicModule },
  ): readonly DynamicModule[] {
    if (!isFacadeOn(config)) return [];
    const identity = hasIdentity(config) ? [IdentityModule.forRoot(authenticator)] : [];
    const compute = [ComputeApiModule.forRoot(scheduler), VirtualHostsModule.forRoot(scheduler)];
    return [{ module: FacadeModule, imports: [FacadeImageModule, ...compute, ...identity] }];
  }
}
