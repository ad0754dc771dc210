import 'reflect-metadata';
import { IsDocument, IsName, IsScalarMap, MayBeAbsent, MayBeNull } from '../../../compute/registry-schema';
import type { MergeMap } from '../../../compute/registry-schema';

class NewAggregateDto {
  @IsName() readonly name!: string;
  @MayBeNull() @IsName() readonly availability_zone?: string | null;
}

/** The body of POST /os-aggregates. */
export class NewAggregateBody {
  @IsDocument(() => NewAggregateDto) readonly aggregate!: NewAggregateDto;
}

class AggregateChangeDto {
  @MayBeAbsent() @IsName() readonly name?: string;
  @MayBeNull() @IsName() readonly availability_zone?: string | null;
}

/** The body of PUT /os-aggregates/{id}. */
export class AggregateChangeBody {
  @IsDocument(() => AggregateChangeDto) readonly aggregate!: AggregateChangeDto;
}

class HostDto {
  @IsName() readonly host!: string;
}

class MetadataDto {
  /** Null removes a key. */
  @IsScalarMap({ nulls: true }) readonly metadata!: MergeMap;
}

/** The body of POST …/action: one of the three. */
export class AggregateActionBody {
  @MayBeAbsent() @IsDocument(() => HostDto) readonly add_host?: HostDto;
  @MayBeAbsent() @IsDocument(() => HostDto) readonly remove_host?: HostDto;
  @MayBeAbsent() @IsDocument(() => MetadataDto) readonly set_metadata?: MetadataDto;
}
