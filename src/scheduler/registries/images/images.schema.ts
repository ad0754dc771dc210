import 'reflect-metadata';
import { IsOptional } from 'class-validator';
import { IsCount, IsFilledText, IsScalarMap, IsText, IsUuid } from '../registry-schema';
import type { MergeMap, ScalarMap } from '../registry-schema';

const DISK_FORMAT_MAX = 64;
/** Properties may hold whole descriptions. */
const PROPERTY_MAX = 65_535;

/** The body of POST and PUT. */
export class ImageDefinitionDto {
  @IsOptional() @IsUuid() readonly uuid?: string;
  @IsOptional() @IsText() readonly name?: string | null;
  @IsOptional() @IsFilledText(DISK_FORMAT_MAX) readonly disk_format?: string | null;
  @IsOptional() @IsScalarMap({ valueMax: PROPERTY_MAX }) readonly properties?: ScalarMap;
  @IsOptional() @IsCount() readonly generation?: number;
}

/** The body of PATCH: what is absent stays, and so do properties that are not named; null removes one. */
export class ImagePatchDto {
  @IsOptional() @IsText() readonly name?: string | null;
  @IsOptional() @IsFilledText(DISK_FORMAT_MAX) readonly disk_format?: string | null;
  @IsOptional() @IsScalarMap({ nulls: true, valueMax: PROPERTY_MAX }) readonly properties?: MergeMap;
  @IsOptional() @IsCount() readonly generation?: number;
}
