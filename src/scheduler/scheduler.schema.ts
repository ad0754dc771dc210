// What a client may say to the scheduler: static shapes, checked before anything is read. Fields that are known and not
// honoured yet are declared, so that they are refused by name and not as unknown ones.

import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { MAX_INT } from '../domain/inventory';
import { SCHEDULER_LIMITS } from '../config/limits';
import { SEED_LIMIT } from './pipeline/random';
import type { FlavorBody, ImageBody, RequestBody } from './request/request-spec';

export const EXPLAIN_LEVELS = ['none', 'summary', 'first', 'all'] as const;
export type ExplainLevel = (typeof EXPLAIN_LEVELS)[number];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MAX_TEXT = 255;

/** A flat object of texts, numbers and booleans. */
function IsScalarMap(): PropertyDecorator {
  const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
  return ValidateBy({
    name: 'isScalarMap',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isScalar),
      defaultMessage: () => '$property must be an object of texts, numbers or booleans',
    },
  });
}

/** Lists of texts inside a list. */
function IsListOfLists(): PropertyDecorator {
  const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
  return ValidateBy({
    name: 'isListOfLists',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every(isTexts),
      defaultMessage: () => '$property must be a list of lists of texts',
    },
  });
}

/** A name given instead of the thing itself passes here and is refused with its own words by the service. */
const IfInline = (field: 'flavor' | 'image'): PropertyDecorator =>
  ValidateIf(
    (dto: SelectDestinationsDto) =>
      typeof dto[field] !== 'string' && (field === 'flavor' || (dto[field] ?? null) !== null),
  );

/** A flavor given inline. */
export class FlavorDto implements FlavorBody {
  @IsOptional() @IsString() @MaxLength(MAX_TEXT) readonly name?: string | null;
  @IsInt() @Min(0) @Max(MAX_INT) readonly vcpus!: number;
  @IsInt() @Min(0) @Max(MAX_INT) readonly memory_mb!: number;
  @IsOptional() @IsInt() @Min(0) @Max(MAX_INT) readonly root_gb?: number;
  @IsOptional() @IsInt() @Min(0) @Max(MAX_INT) readonly ephemeral_gb?: number;
  @IsOptional() @IsInt() @Min(0) @Max(MAX_INT) readonly swap?: number;
  @IsOptional() @IsScalarMap() readonly extra_specs?: Readonly<Record<string, string | number | boolean>>;
}

/** An image given inline. */
export class ImageDto implements ImageBody {
  @IsOptional() @IsString() @MaxLength(MAX_TEXT) readonly id?: string | null;
  @IsOptional() @IsString() @MaxLength(MAX_TEXT) readonly name?: string | null;
  @IsOptional() @IsString() @MaxLength(MAX_TEXT) readonly disk_format?: string | null;
  @IsOptional() @IsScalarMap() readonly properties?: Readonly<Record<string, string | number | boolean>>;
}

/** Conditions on the request as a whole. */
export class RequestLevelParamsDto {
  @IsOptional() @IsArray() @IsString({ each: true }) readonly root_required?: readonly string[];
  @IsOptional() @IsArray() @IsString({ each: true }) readonly root_forbidden?: readonly string[];
  @IsOptional() @IsListOfLists() readonly same_subtree?: readonly (readonly string[])[];
}

/** The body of select_destinations and of explain. */
export class SelectDestinationsDto implements RequestBody {
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCHEDULER_LIMITS.instancesPerRequest)
  @Matches(UUID, { each: true, message: 'each value in instances must be a uuid' })
  readonly instances?: readonly string[];

  @IsOptional() @IsInt() @Min(1) @Max(SCHEDULER_LIMITS.instancesPerRequest) readonly num_instances?: number;
  @IsOptional() @IsInt() @Min(1) @Max(SCHEDULER_LIMITS.instancesPerRequest) readonly min_count?: number | null;

  @IfInline('flavor')
  @IsObject()
  @ValidateNested()
  @Type(() => FlavorDto)
  readonly flavor!: FlavorDto | string;

  @IfInline('image')
  @IsObject()
  @ValidateNested()
  @Type(() => ImageDto)
  readonly image?: ImageDto | string | null;

  @IsOptional() @IsBoolean() readonly is_bfv?: boolean;
  @IsString() @IsNotEmpty() @MaxLength(MAX_TEXT) readonly project_id!: string;
  @IsString() @IsNotEmpty() @MaxLength(MAX_TEXT) readonly user_id!: string;
  @IsOptional() @IsObject() readonly scheduler_hints?: Readonly<Record<string, unknown>>;
  @IsOptional() @IsArray() @IsString({ each: true }) readonly ignore_hosts?: readonly string[];

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => RequestLevelParamsDto)
  readonly request_level_params?: RequestLevelParamsDto;

  @IsOptional() readonly availability_zone?: unknown;
  @IsOptional() readonly force_hosts?: unknown;
  @IsOptional() readonly force_nodes?: unknown;
  @IsOptional() readonly requested_destination?: unknown;
  @IsOptional() readonly instance_group?: unknown;
  @IsOptional() readonly requested_resources?: unknown;
  @IsOptional() readonly requested_networks?: unknown;
  @IsOptional() readonly network_metadata?: unknown;
  @IsOptional() readonly numa_topology?: unknown;
  @IsOptional() readonly pci_requests?: unknown;
  @IsOptional() readonly retry?: unknown;

  @IsOptional() @IsBoolean() readonly return_alternates?: boolean;
  @IsOptional() @IsBoolean() readonly dry_run?: boolean;
  @IsOptional() @IsInt() @Min(0) @Max(SEED_LIMIT - 1) readonly seed?: number;
  @IsOptional() @IsIn(EXPLAIN_LEVELS) readonly explain?: ExplainLevel;
}
