import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlacementMirrorModule } from '../placement-mirror.module';
import { RegistriesConfigModule } from '../registries-config.module';
import { ComputeService } from './service.entity';
import { ServicesController } from './services.controller';
import { ServicesService } from './services.service';

@Module({
  imports: [TypeOrmModule.forFeature([ComputeService]), PlacementMirrorModule, RegistriesConfigModule],
  controllers: [ServicesController],
  providers: [ServicesService],
  exports: [ServicesService],
})
export class ServicesModule {}
