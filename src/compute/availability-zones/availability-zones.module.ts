import { Module } from '@nestjs/common';
import { AllocationCandidatesModule } from '../../placement/allocation-candidates/allocation-candidates.module';
import { RegistriesConfigModule } from '../registries-config.module';
import { AvailabilityZonesController } from './availability-zones.controller';
import { AvailabilityZones } from './availability-zones.loader';

@Module({
  imports: [AllocationCandidatesModule, RegistriesConfigModule],
  controllers: [AvailabilityZonesController],
  providers: [AvailabilityZones],
  exports: [AvailabilityZones],
})
export class AvailabilityZonesModule {}
