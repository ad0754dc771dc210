import 'reflect-metadata';
import type { MergeMap } from '../../../compute/registry-schema';
import { IsDocument, IsName, IsScalarMap, MayBeAbsent, MayBeNull } from '../../../compute/registry-schema';

class ComputeNewAggregateDto {
  @IsName() readonly name!: string;
  @MayBeNull() @IsName() readonly availability_zone?: string | null;
}

/** The body of POST /os-aggregates. */
export class NewAggregateBody {
  @IsDocument(() => ComputeNewAggregateDto) readonly aggregate!: ComputeNewAggregateDto;
}

class ComputeAggregateChangeDto {
  @MayBeAbsent() @IsName() readonly name?: string;
  @MayBeNull() @IsName() readonly availability_zone?: string | null;
}

/** The body of PUT /os-aggregates/{id}. */
export class AggregateChangeBody {
  @IsDocument(() => ComputeAggregateChangeDto) readonly aggregate!: ComputeAggregateChangeDto;
}

class ComputeHostDto {
  @IsName() readonly host!: string;
}

class ComputeMetadataDto {
  /** Null removes a key. */
  @IsScalarMap({ nulls: true }) readonly metadata!: MergeMap;
}

/** The body of POST …/action: exactly one of the three fields. */
export class AggregateActionBody {
  @MayBeAbsent() @IsDocument(() => ComputeHostDto) readonly add_host?: ComputeHostDto;
  @MayBeAbsent() @IsDocument(() => ComputeHostDto) readonly remove_host?: ComputeHostDto;
  @MayBeAbsent() @IsDocument(() => ComputeMetadataDto) readonly set_metadata?: ComputeMetadataDto;
}
