import 'reflect-metadata';
import { IsCount, IsFilledText, NullIsAbsent } from '../../compute/registry-schema';
import { SelectDestinationsDto } from '../request/request.schema';

/** The largest `max_instances` of a request. */
const INSTANCES_COUNTED_MAX = 100_000;

/** The body of POST /scheduler/capacity: a request. Project and user default to those of the caller. */
export class CapacityDto extends SelectDestinationsDto {
  @NullIsAbsent() @IsFilledText() declare readonly project_id: string;
  @NullIsAbsent() @IsFilledText() declare readonly user_id: string;
  @NullIsAbsent() @IsCount(1, INSTANCES_COUNTED_MAX) readonly max_instances?: number;
}
