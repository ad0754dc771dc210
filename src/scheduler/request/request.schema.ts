// Schema of scheduler requests: static shapes, validated first. Unknown fields are refused with their path.
// normalize-request.ts interprets the values and refuses contradictions.

import 'reflect-metadata';
import { IsBoolean, IsIn, IsInt, Max, Min, ValidateBy } from 'class-validator';
import type { MergeMap, ScalarMap } from '../../compute/registry-schema';
import {
  IsCount,
  IsCpus,
  IsDocument,
  IsFilledText,
  IsListOf,
  IsListOfTagConditions,
  IsListOfTexts,
  IsLongListOf,
  IsScalarMap,
  IsText,
  IsTexts,
  IsUuid,
  IsUuids,
  MAX_TEXT,
  MayBeAbsent,
  MayBeNull,
  NullIsAbsent,
} from '../../compute/registry-schema';
import { GROUP_POLICIES, GroupRulesDto } from '../../compute/server-groups/server-groups.schema';
import { MAX_INT } from '../../placement/domain/inventory';
import { HTTP_LIMITS } from '../../platform/config/limits/http';
import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { AlsoAllows, MatchesSchema } from '../../platform/http/dto-rules';
import { PRINTABLE } from '../../platform/values/printable';
import { SEED_LIMIT } from '../../platform/values/random';
import { CPU_POLICIES, EMULATOR_POLICIES, THREAD_POLICIES } from '../../scheduling-rules/numa/cpu-policy';
import { PAGE_SIZE_RULE, parsePageSize } from '../../scheduling-rules/numa/page-size';
import { PCI_NUMA_POLICIES } from '../../scheduling-rules/pci/alias';
import type { CpuPolicy, CpuThreadPolicy } from '../../scheduling-rules/request-spec/numa-topology';
import { NUMA_CELLS_MAX } from '../../scheduling-rules/request-spec/numa-topology';
import type { PciNumaPolicy } from '../../scheduling-rules/request-spec/pci-pool';
import { PCI_DEVICES_MAX } from '../../scheduling-rules/request/derive-pci-requests';

const EXPLAIN_LEVELS = ['none', 'summary', 'first', 'all'] as const;
export type ExplainLevel = (typeof EXPLAIN_LEVELS)[number];

const GIVEN_LEVELS = [...EXPLAIN_LEVELS, 'full'] as const;

/** `full` is another name of `all`. */
export const levelOf = (
  { explain }: { readonly explain?: (typeof GIVEN_LEVELS)[number] },
  otherwise: ExplainLevel,
): ExplainLevel => (explain === 'full' ? 'all' : (explain ?? otherwise));

const { namesPerGroup, requestGroups } = SEARCH_LIMITS;
const { instancesPerRequest, keysPerDocument, hostsNamed } = SCHEDULER_LIMITS;

/** Hints by name. The value of a hint is validated later, with the hint's path. */
const HINTS = {
  type: 'object',
  maxProperties: keysPerDocument,
  additionalProperties: { maxItems: instancesPerRequest },
};
/** Names of instances by uuid. */
const NAMES = {
  type: 'object',
  maxProperties: instancesPerRequest,
  additionalProperties: { type: 'string', minLength: 1, maxLength: 255, pattern: PRINTABLE.source },
};
/** Amounts by resource class. Names and amounts are validated later, each with its path. */
const AMOUNTS = { type: 'object', maxProperties: namesPerGroup, additionalProperties: { type: 'number' } };

const IsListOfLists = (): PropertyDecorator => IsListOfTexts(namesPerGroup, namesPerGroup);

const IsPageSize = (): PropertyDecorator =>
  ValidateBy({
    name: 'isPageSize',
    constraints: [{ type: ['number', 'string'] }],
    validator: {
      validate: (value) => ['number', 'string'].includes(typeof value) && parsePageSize(String(value)) !== null,
      defaultMessage: () => `${PAGE_SIZE_RULE}`,
    },
  });

const IsDocumentOrName = (type: () => new () => object): PropertyDecorator =>
  IsDocument(type, `must be an object, or a name of 1 to ${MAX_TEXT} characters`);

/** An inline flavor. */
export class FlavorDto {
  @MayBeNull() @IsText() readonly name?: string | null;
  @IsCount(0, MAX_INT) readonly vcpus!: number;
  @IsCount(0, MAX_INT) readonly memory_mb!: number;
  @NullIsAbsent() @IsCount(0, MAX_INT) readonly root_gb?: number;
  @NullIsAbsent() @IsCount(0, MAX_INT) readonly ephemeral_gb?: number;
  @NullIsAbsent() @IsCount(0, MAX_INT) readonly swap?: number;
  @NullIsAbsent() @IsScalarMap() readonly extra_specs?: ScalarMap;
}

/** An inline image; an image for boot from volume has neither id nor name. */
export class ImageDto {
  @MayBeNull() @IsText() readonly id?: string | null;
  @MayBeNull() @IsText() readonly name?: string | null;
  @MayBeNull() @IsText() readonly disk_format?: string | null;
  @NullIsAbsent() @IsScalarMap({ valueMax: HTTP_LIMITS.documentTextCharacters }) readonly properties?: ScalarMap;
}

/** An inline server group. */
export class InstanceGroupDto {
  @MayBeNull() @IsUuid() readonly uuid?: string | null;
  @MayBeNull() @IsText() readonly name?: string | null;
  @MayBeNull() @IsText() readonly project_id?: string | null;
  @IsIn(GROUP_POLICIES) readonly policy!: (typeof GROUP_POLICIES)[number];
  @MayBeNull() @IsDocument(() => GroupRulesDto) readonly rules?: GroupRulesDto | null;
  @NullIsAbsent() @IsTexts(SCHEDULER_LIMITS.membersPerGroup) readonly members?: readonly string[];
  @NullIsAbsent() @IsTexts(SCHEDULER_LIMITS.membersPerGroup) readonly hosts?: readonly string[];
}

/** The requested target. Entries of one list in `aggregates` are alternatives; all lists must be met. */
class RequestedDestinationDto {
  @MayBeNull() @IsFilledText() readonly host?: string | null;
  @MayBeNull() @IsFilledText() readonly node?: string | null;
  @MayBeNull() @IsFilledText() readonly cell?: string | null;
  @NullIsAbsent() @IsBoolean() readonly allow_cross_cell_move?: boolean;
  @NullIsAbsent() @IsListOfLists() readonly aggregates?: readonly (readonly string[])[];
  @NullIsAbsent() @IsTexts(namesPerGroup) readonly forbidden_aggregates?: readonly string[];
}

/** A request group from outside the flavor, for a port, an accelerator or a PCI request. */
export class RequestedResourcesDto {
  @IsFilledText() readonly requester_id!: string;
  @MatchesSchema(AMOUNTS) readonly resources!: Readonly<Record<string, number>>;
  @NullIsAbsent() @IsTexts(namesPerGroup) readonly required_traits?: readonly string[];
  @NullIsAbsent() @IsTexts(namesPerGroup) readonly forbidden_traits?: readonly string[];
  @NullIsAbsent() @IsListOfLists() readonly aggregates?: readonly (readonly string[])[];
  @NullIsAbsent() @IsTexts(namesPerGroup) readonly forbidden_aggregates?: readonly string[];
  @MayBeNull() @IsUuid() readonly in_tree?: string | null;
}

/** Conditions on the whole request. */
class RequestLevelParamsDto {
  @NullIsAbsent() @IsTexts(namesPerGroup) readonly root_required?: readonly string[];
  @NullIsAbsent() @IsTexts(namesPerGroup) readonly root_forbidden?: readonly string[];
  @NullIsAbsent() @IsListOfLists() readonly same_subtree?: readonly (readonly string[])[];
}

/** A network or port. Null aggregates: the lookup found none; absent: no lookup. */
export class RequestedNetworkDto {
  @MayBeNull() @IsFilledText() readonly network_id?: string | null;
  @MayBeNull() @IsFilledText() readonly port_id?: string | null;
  @MayBeNull() @IsText() readonly vnic_type?: string | null;
  @MayBeNull() @IsTexts(namesPerGroup) readonly aggregates?: readonly string[] | null;
}

class NetworkMetadataDto {
  @NullIsAbsent() @IsTexts(namesPerGroup) readonly physnets?: readonly string[];
  @NullIsAbsent() @IsBoolean() readonly tunneled?: boolean;
}

const PCI_REQUESTS_MAX = 256;
const PCI_ALTERNATIVES_MAX = 64;

/** A NUMA cell of the instance; memory in MiB. */
export class InstanceCellDto {
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly id?: number;
  /** Shared vCPUs. */
  @MayBeNull() @IsCpus() readonly cpuset?: readonly number[] | null;
  /** Dedicated vCPUs. */
  @MayBeNull() @IsCpus() readonly pcpuset?: readonly number[] | null;
  @IsCount(1, MAX_INT) readonly memory!: number;
  @MayBeNull() @IsPageSize() readonly pagesize?: number | string | null;
  /** Defaults to the policy that follows from the kinds of vCPUs. */
  @MayBeNull() @IsIn(CPU_POLICIES) readonly cpu_policy?: CpuPolicy | null;
  @MayBeNull() @IsIn(THREAD_POLICIES) readonly cpu_thread_policy?: CpuThreadPolicy | null;
}

export class InstanceTopologyDto {
  @IsListOf(() => InstanceCellDto, NUMA_CELLS_MAX) readonly cells!: readonly InstanceCellDto[];
  @MayBeNull() @IsIn(EMULATOR_POLICIES) readonly emulator_threads_policy?: (typeof EMULATOR_POLICIES)[number] | null;
}

/** `count` devices of any of the kinds in `spec`, or of the named alias. A null property must be absent. */
export class PciRequestDto {
  @MayBeNull() @IsFilledText() readonly request_id?: string | null;
  @MayBeNull() @IsFilledText() readonly alias_name?: string | null;
  @MayBeNull() @IsCount(1, PCI_DEVICES_MAX) readonly count?: number | null;
  @MayBeNull() @IsListOfTagConditions(PCI_ALTERNATIVES_MAX) readonly spec?: readonly MergeMap[] | null;
  @MayBeNull() @IsIn(PCI_NUMA_POLICIES) readonly numa_policy?: PciNumaPolicy | null;
}

/** Earlier attempts, for the legacy retry filter. */
class RetryDto {
  @NullIsAbsent() @IsCount(0, MAX_INT) readonly num_attempts?: number;
  @NullIsAbsent() @IsListOfLists() readonly hosts?: readonly (readonly string[])[];
}

/** The body of select_destinations and of explain. */
export class SelectDestinationsDto {
  @NullIsAbsent() @IsUuids(instancesPerRequest, 1) readonly instances?: readonly string[];
  /** Names by uuid, for lists only. */
  @MayBeNull() @MatchesSchema(NAMES) readonly instance_names?: Readonly<Record<string, string>> | null;
  @NullIsAbsent() @IsInt() @Min(1) @Max(instancesPerRequest) readonly num_instances?: number;
  @MayBeNull() @IsInt() @Min(1) @Max(instancesPerRequest) readonly min_count?: number | null;

  @AlsoAllows({ name: true })
  @IsDocumentOrName(() => FlavorDto)
  readonly flavor!: FlavorDto | string;

  @AlsoAllows({ absent: true, null: true, name: true })
  @IsDocumentOrName(() => ImageDto)
  readonly image?: ImageDto | string | null;

  @NullIsAbsent() @IsBoolean() readonly is_bfv?: boolean;
  @IsFilledText() readonly project_id!: string;
  @IsFilledText() readonly user_id!: string;
  @MayBeNull() @IsFilledText() readonly availability_zone?: string | null;
  @MayBeNull() @MatchesSchema(HINTS) readonly scheduler_hints?: Readonly<Record<string, unknown>> | null;
  @MayBeNull() @IsTexts(hostsNamed) readonly ignore_hosts?: readonly string[] | null;
  @MayBeNull() @IsTexts(hostsNamed) readonly force_hosts?: readonly string[] | null;
  @MayBeNull() @IsTexts(hostsNamed) readonly force_nodes?: readonly string[] | null;

  @MayBeNull()
  @IsDocument(() => RequestedDestinationDto)
  readonly requested_destination?: RequestedDestinationDto | null;

  @AlsoAllows({ absent: true, null: true, name: true })
  @IsDocumentOrName(() => InstanceGroupDto)
  readonly instance_group?: InstanceGroupDto | string | null;

  @MayBeNull()
  @IsListOf(() => RequestedResourcesDto, requestGroups - 1)
  readonly requested_resources?: readonly RequestedResourcesDto[] | null;

  @MayBeNull()
  @IsDocument(() => RequestLevelParamsDto)
  readonly request_level_params?: RequestLevelParamsDto | null;

  @MayBeNull()
  @IsLongListOf(() => RequestedNetworkDto, namesPerGroup)
  readonly requested_networks?: readonly RequestedNetworkDto[] | null;

  @MayBeNull()
  @IsDocument(() => NetworkMetadataDto)
  readonly network_metadata?: NetworkMetadataDto | null;

  /** `auto` or absent: derived from flavor and image. */
  @AlsoAllows({ absent: true, null: true, words: ['auto'] })
  @IsDocument(() => InstanceTopologyDto, "must be 'auto', null or an object")
  readonly numa_topology?: InstanceTopologyDto | 'auto' | null;

  /** `auto` or absent: derived from the flavor. */
  @AlsoAllows({ absent: true, null: true, words: ['auto'] })
  @IsListOf(() => PciRequestDto, PCI_REQUESTS_MAX)
  readonly pci_requests?: readonly PciRequestDto[] | 'auto' | null;

  @MayBeNull()
  @IsDocument(() => RetryDto)
  readonly retry?: RetryDto | null;

  @NullIsAbsent() @IsBoolean() readonly return_alternates?: boolean;
  @NullIsAbsent() @IsBoolean() readonly dry_run?: boolean;
  @NullIsAbsent() @IsInt() @Min(0) @Max(SEED_LIMIT - 1) readonly seed?: number;
  @NullIsAbsent() @IsIn(GIVEN_LEVELS) readonly explain?: (typeof GIVEN_LEVELS)[number];
}
