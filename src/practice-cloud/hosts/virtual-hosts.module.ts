import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ComputeModule } from '../../compute/compute.module';
import { VirtualHosts } from './virtual-hosts.service';

@Module({})
export class VirtualHostsModule {
  static forRoot(scheduler: DynamicModule): DynamicModule {
    return {
      module: VirtualHostsModule,
      imports: [ComputeModule, scheduler],
      providers: [VirtualHosts],
    };
  }
}
