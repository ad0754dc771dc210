import 'reflect-metadata';
import { ValidateBy } from 'class-validator';
import { MAX_INT } from '../../placement/domain/inventory';
import type { Flavor } from '../../scheduling-rules/request-spec/request-spec';
import type { MergeMap, ScalarMap } from '../registry-schema';
import { IsCount, IsName, IsScalarMap, MayBeAbsent, textsOf } from '../registry-schema';

/** Path segments that every HTTP client removes from a URL, even percent-encoded. */
const DOTS = ['.', '..'];

const IsNotDots = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isNotDots',
      constraints: [{ not: { enum: DOTS } }],
      validator: { validate: (value) => !DOTS.some((dots) => dots === value) },
    },
    { message: 'must not be . or .., which no path can name' },
  );

/** The body of POST and PUT. */
export class FlavorDefinitionDto {
  @MayBeAbsent()
  @IsName()
  @IsNotDots()
  readonly id?: string;

  @IsName() readonly name!: string;
  @IsCount(0, MAX_INT) readonly vcpus!: number;
  @IsCount(0, MAX_INT) readonly memory_mb!: number;
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly root_gb?: number;
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly ephemeral_gb?: number;
  /** MiB. */
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly swap?: number;
  @MayBeAbsent() @IsScalarMap() readonly extra_specs?: ScalarMap;
  @MayBeAbsent() @IsCount() readonly generation?: number;
}

/** The amounts and extra specs of a flavor, either registered or given inline in a request. */
export type FlavorFactsDto = Omit<FlavorDefinitionDto, 'id' | 'name' | 'generation'>;

/** Converts the body of a flavor without its name, and fills in the defaults. */
export const flavorFactsOf = (body: FlavorFactsDto): Omit<Flavor, 'name'> => ({
  vcpus: body.vcpus,
  memoryMb: body.memory_mb,
  rootGb: body.root_gb ?? 0,
  ephemeralGb: body.ephemeral_gb ?? 0,
  swapMb: body.swap ?? 0,
  extraSpecs: textsOf(body.extra_specs ?? {}),
});

/**
 * The body of PATCH. Absent fields and extra specs that the body does not name keep their value; null removes a spec.
 */
export class FlavorPatchDto {
  @MayBeAbsent() @IsName() readonly name?: string;
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly vcpus?: number;
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly memory_mb?: number;
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly root_gb?: number;
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly ephemeral_gb?: number;
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly swap?: number;
  @MayBeAbsent() @IsScalarMap({ nulls: true }) readonly extra_specs?: MergeMap;
  @MayBeAbsent() @IsCount() readonly generation?: number;
}

/** The body of PATCH …/extra_specs: null removes a key. */
export class ExtraSpecsDto {
  @IsScalarMap({ nulls: true }) readonly extra_specs!: MergeMap;
  @MayBeAbsent() @IsCount() readonly generation?: number;
}
