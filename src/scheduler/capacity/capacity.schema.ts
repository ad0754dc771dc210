import 'reflect-metadata';
import { IsCount, IsFilledText, NullIsAbsent } from '../../compute/registry-schema';
import { SelectDestinationsDto } from '../request/request.schema';

/** The largest bound a request may say. */
const INSTANCES_COUNTED_MAX = 100_000;

/** The body of POST /scheduler/capacity: a request. Whose instances they would be, the caller's unless it says. */
export class CapacityDto extends SelectDestinationsDto {
  @NullIsAbsent() @IsFilledText() declare readonly project_id: string;
  @NullIsAbsent() @IsFilledText() declare readonly user_id: string;
  @NullIsAbsent() @IsCount(1, INSTANCES_COUNTED_MAX) readonly max_instances?: number;
}
