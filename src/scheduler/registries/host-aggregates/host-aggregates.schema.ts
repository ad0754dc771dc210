import 'reflect-metadata';
import { IsOptional, ValidateIf } from 'class-validator';
import { SCHEDULER_LIMITS } from '../../../config/limits';
import { IsCount, IsName, IsScalarMap, IsNames, IsUuid } from '../registry-schema';
import type { MergeMap, ScalarMap } from '../registry-schema';

/** The body of POST and PUT. */
export class HostAggregateDto {
  @IsOptional() @IsUuid() readonly uuid?: string;
  @IsName() readonly name!: string;
  @IsOptional() @IsScalarMap() readonly metadata?: ScalarMap;
  /** The same as the metadata key; null: none. */
  @IsOptional() @IsName() readonly availability_zone?: string | null;
  @IsOptional() @IsNames(SCHEDULER_LIMITS.hostsPerAggregate) readonly hosts?: readonly string[];
  @IsOptional() @IsCount() readonly generation?: number;
}

/** The body of PATCH: what is absent stays. */
export class HostAggregatePatchDto {
  @ValidateIf(({ name }: HostAggregatePatchDto) => name !== undefined)
  @IsName()
  readonly name?: string;

  @IsOptional() @IsName() readonly availability_zone?: string | null;
  @IsOptional() @IsScalarMap({ nulls: true }) readonly metadata?: MergeMap;
  @IsOptional() @IsCount() readonly generation?: number;
}

/** The body of PATCH …/metadata: null removes a key. */
export class MetadataDto {
  @IsScalarMap({ nulls: true }) readonly metadata!: MergeMap;
  @IsOptional() @IsCount() readonly generation?: number;
}

/** The body of POST …/hosts. */
export class AddHostDto {
  @IsName() readonly host!: string;
}
