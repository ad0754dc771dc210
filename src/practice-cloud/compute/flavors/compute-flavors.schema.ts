import 'reflect-metadata';
import { Matches } from 'class-validator';
import type { ScalarMap } from '../../../compute/registry-schema';
import {
  IsDocument,
  IsFilledText,
  IsName,
  IsScalarMap,
  IsText,
  MayBeAbsent,
  MayBeNull,
  NullIsAbsent,
} from '../../../compute/registry-schema';
import { MAX_INT } from '../../../placement/domain/inventory';
import { HTTP_LIMITS } from '../../../platform/config/limits/http';
import { MatchesSchema } from '../../../platform/http/dto-rules';
import { FIELD_RULES } from '../../../platform/values/field-fault';
import { TYPED_NAME } from '../../../platform/values/names';
import { IsNovaBoolean, IsNovaId, IsNovaInteger } from '../nova-values';

const RXTX_FACTOR = { type: ['number', 'string'], pattern: '^[0-9]+(\\.[0-9]+)?$', minimum: 0, maximum: MAX_INT };

class ComputeNewFlavorDto {
  @IsName() readonly name!: string;
  /** MiB. */
  @IsNovaInteger(1, MAX_INT) readonly ram!: number;
  @IsNovaInteger(1, MAX_INT) readonly vcpus!: number;
  /** GiB. */
  @IsNovaInteger(0, MAX_INT) readonly disk!: number;

  /** `auto` and null request a generated id. */
  @NullIsAbsent()
  @IsNovaId()
  @Matches(TYPED_NAME, { message: FIELD_RULES.name })
  @Matches(/^[a-zA-Z0-9. _-]*$/, {
    message: '$property may have letters, digits, periods, dashes, underscores, blanks',
  })
  @Matches(/^(?!\.{1,2}$)/s, { message: '$property must not be . or .., which no path can name' })
  readonly id?: string;

  /** MiB. */
  @NullIsAbsent() @IsNovaInteger(0, MAX_INT) readonly swap?: number;
  /** Accepted and ignored: Berth has no network. */
  @NullIsAbsent() @MatchesSchema(RXTX_FACTOR) readonly rxtx_factor?: number | string;
  @NullIsAbsent() @IsNovaInteger(0, MAX_INT) readonly 'OS-FLV-EXT-DATA:ephemeral'?: number;
  @NullIsAbsent() @IsNovaBoolean() readonly 'os-flavor-access:is_public'?: boolean;
  @MayBeNull() @IsText(HTTP_LIMITS.documentTextCharacters) readonly description?: string | null;
}

/** The body of POST /flavors. */
export class NewFlavorBody {
  @IsDocument(() => ComputeNewFlavorDto) readonly flavor!: ComputeNewFlavorDto;
}

class ComputeFlavorDescriptionDto {
  @MayBeNull() @IsText(HTTP_LIMITS.documentTextCharacters) readonly description?: string | null;
}

/** The body of PUT /flavors/{id}. */
export class FlavorDescriptionBody {
  @IsDocument(() => ComputeFlavorDescriptionDto) readonly flavor!: ComputeFlavorDescriptionDto;
}

/** The body of POST …/os-extra_specs. */
export class ExtraSpecsBody {
  @IsScalarMap() readonly extra_specs!: ScalarMap;
}

class ComputeTenantDto {
  @IsFilledText() readonly tenant!: string;
}

/** The body of POST …/action: exactly one of the two fields. */
export class FlavorActionBody {
  @MayBeAbsent() @IsDocument(() => ComputeTenantDto) readonly addTenantAccess?: ComputeTenantDto;
  @MayBeAbsent() @IsDocument(() => ComputeTenantDto) readonly removeTenantAccess?: ComputeTenantDto;
}
