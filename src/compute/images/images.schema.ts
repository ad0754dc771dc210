import 'reflect-metadata';
import { HTTP_LIMITS } from '../../platform/config/limits/http';
import type { MergeMap, ScalarMap } from '../registry-schema';
import { IsCount, IsFilledText, IsScalarMap, IsText, IsUuid, MayBeAbsent, MayBeNull } from '../registry-schema';

const DISK_FORMAT_MAX = 64;
const { documentTextCharacters: valueMax } = HTTP_LIMITS;

/** The body of POST and PUT. */
export class ImageDefinitionDto {
  @MayBeAbsent() @IsUuid() readonly uuid?: string;
  @MayBeNull() @IsText() readonly name?: string | null;
  @MayBeNull() @IsFilledText(DISK_FORMAT_MAX) readonly disk_format?: string | null;
  @MayBeAbsent() @IsScalarMap({ valueMax }) readonly properties?: ScalarMap;
  @MayBeAbsent() @IsCount() readonly generation?: number;
}

/** The body of PATCH. Absent fields and properties keep their value; null removes a property. */
export class ImagePatchDto {
  @MayBeNull() @IsText() readonly name?: string | null;
  @MayBeNull() @IsFilledText(DISK_FORMAT_MAX) readonly disk_format?: string | null;
  @MayBeAbsent() @IsScalarMap({ nulls: true, valueMax }) readonly properties?: MergeMap;
  @MayBeAbsent() @IsCount() readonly generation?: number;
}
