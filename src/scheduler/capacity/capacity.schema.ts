import 'reflect-metadata';
import { SCHEDULER_LIMITS } from '../../config/limits';
import { IsCount, IsFilledText, NullIsAbsent } from '../../compute/registry-schema';
import { SelectDestinationsDto } from '../request/request.schema';

/** The body of POST /scheduler/capacity: a request. Whose instances they would be, the caller's unless it says. */
export class CapacityDto extends SelectDestinationsDto {
  @NullIsAbsent() @IsFilledText() declare readonly project_id: string;
  @NullIsAbsent() @IsFilledText() declare readonly user_id: string;
  @NullIsAbsent() @IsCount(1, SCHEDULER_LIMITS.instancesCountedMax) readonly max_instances?: number;
}
