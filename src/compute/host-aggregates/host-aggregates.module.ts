import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlacementMirrorModule } from '../placement-mirror.module';
import { RegistriesConfigModule } from '../registries-config.module';
import { RegisteredAggregate } from './host-aggregate.entity';
import { HostAggregatesController } from './host-aggregates.controller';
import { HostAggregatesService } from './host-aggregates.service';

@Module({
  imports: [TypeOrmModule.forFeature([RegisteredAggregate]), PlacementMirrorModule, RegistriesConfigModule],
  controllers: [HostAggregatesController],
  providers: [HostAggregatesService],
  exports: [HostAggregatesService],
})
export class HostAggregatesModule {}
