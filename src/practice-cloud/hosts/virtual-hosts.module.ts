import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { HostsModule } from '../../compute/hosts/hosts.module';
import { InstancesModule } from '../../compute/instances/instances.module';
import { RegistriesConfigModule } from '../../compute/registries-config.module';
import { VirtualHosts } from './virtual-hosts.service';

@Module({})
export class VirtualHostsModule {
  static forRoot(scheduler: DynamicModule): DynamicModule {
    return {
      module: VirtualHostsModule,
      imports: [HostsModule, InstancesModule, RegistriesConfigModule, scheduler],
      providers: [VirtualHosts],
    };
  }
}
