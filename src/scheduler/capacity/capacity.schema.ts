import 'reflect-metadata';
import { IsOptional } from 'class-validator';
import { SCHEDULER_LIMITS } from '../../config/limits';
import { IsCount, IsFilledText } from '../registries/registry-schema';
import { SelectDestinationsDto } from '../scheduler.schema';

/** The body of POST /scheduler/capacity: a request. Whose instances they would be, the caller's unless it says. */
export class CapacityDto extends SelectDestinationsDto {
  @IsOptional() @IsFilledText() declare readonly project_id: string;
  @IsOptional() @IsFilledText() declare readonly user_id: string;
  @IsOptional() @IsCount(1, SCHEDULER_LIMITS.instancesCountedMax) readonly max_instances?: number;
}
