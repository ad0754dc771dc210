import 'reflect-metadata';
import { IsOptional, ValidateIf } from 'class-validator';
import { MAX_INT } from '../../../domain/inventory';
import { IsCount, IsName, IsScalarMap } from '../registry-schema';
import type { MergeMap, ScalarMap } from '../registry-schema';

/** The body of POST and PUT. */
export class FlavorDefinitionDto {
  @IsOptional() @IsName() readonly id?: string;
  @IsName() readonly name!: string;
  @IsCount(0, MAX_INT) readonly vcpus!: number;
  @IsCount(0, MAX_INT) readonly memory_mb!: number;
  @IsOptional() @IsCount(0, MAX_INT) readonly root_gb?: number;
  @IsOptional() @IsCount(0, MAX_INT) readonly ephemeral_gb?: number;
  /** MiB. */
  @IsOptional() @IsCount(0, MAX_INT) readonly swap?: number;
  @IsOptional() @IsScalarMap() readonly extra_specs?: ScalarMap;
  @IsOptional() @IsCount() readonly generation?: number;
}

/** The body of PATCH: what is absent stays, and so do extra specs that are not named; null removes one. */
export class FlavorPatchDto {
  @ValidateIf(({ name }: FlavorPatchDto) => name !== undefined)
  @IsName()
  readonly name?: string;

  @IsOptional() @IsCount(0, MAX_INT) readonly vcpus?: number;
  @IsOptional() @IsCount(0, MAX_INT) readonly memory_mb?: number;
  @IsOptional() @IsCount(0, MAX_INT) readonly root_gb?: number;
  @IsOptional() @IsCount(0, MAX_INT) readonly ephemeral_gb?: number;
  @IsOptional() @IsCount(0, MAX_INT) readonly swap?: number;
  @IsOptional() @IsScalarMap({ nulls: true }) readonly extra_specs?: MergeMap;
  @IsOptional() @IsCount() readonly generation?: number;
}

/** The body of PATCH …/extra_specs: null removes a key. */
export class ExtraSpecsDto {
  @IsScalarMap({ nulls: true }) readonly extra_specs!: MergeMap;
  @IsOptional() @IsCount() readonly generation?: number;
}
