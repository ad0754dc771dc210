import 'reflect-metadata';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import type { MergeMap, ScalarMap } from '../registry-schema';
import { IsCount, IsName, IsNames, IsScalarMap, IsUuid, MayBeAbsent, MayBeNull } from '../registry-schema';

/** The body of POST and PUT. */
export class HostAggregateDto {
  @MayBeAbsent() @IsUuid() readonly uuid?: string;
  @IsName() readonly name!: string;
  @MayBeAbsent() @IsScalarMap() readonly metadata?: ScalarMap;
  /** Same as the metadata key `availability_zone`; null means no zone. */
  @MayBeNull() @IsName() readonly availability_zone?: string | null;
  @MayBeAbsent() @IsNames(SCHEDULER_LIMITS.hostsPerAggregate) readonly hosts?: readonly string[];
  @MayBeAbsent() @IsCount() readonly generation?: number;
}

/** The body of PATCH. Absent fields keep their value. */
export class HostAggregatePatchDto {
  @MayBeAbsent() @IsName() readonly name?: string;
  @MayBeNull() @IsName() readonly availability_zone?: string | null;
  @MayBeAbsent() @IsScalarMap({ nulls: true }) readonly metadata?: MergeMap;
  @MayBeAbsent() @IsCount() readonly generation?: number;
}

/** The body of PATCH …/metadata: null removes a key. */
export class MetadataDto {
  @IsScalarMap({ nulls: true }) readonly metadata!: MergeMap;
  @MayBeAbsent() @IsCount() readonly generation?: number;
}

/** The body of POST …/hosts. */
export class AddHostDto {
  @IsName() readonly host!: string;
}
