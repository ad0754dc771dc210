// Request bodies for servers. Fields that only the guest would use are accepted and ignored: Berth runs no guests.
import 'reflect-metadata';
import { IsIn } from 'class-validator';
import type { ScalarMap } from '../../../compute/registry-schema';
import {
  IsAnyText,
  IsDocument,
  IsFilledText,
  IsFilledTexts,
  IsListOf,
  IsName,
  IsScalarMap,
  IsText,
  IsUuid,
  MAX_TEXT,
  MayBeAbsent,
  MayBeNull,
  NullIsAbsent,
} from '../../../compute/registry-schema';
import { SERVER_LIMITS } from '../../../platform/config/limits/practice-cloud';
import { SCHEDULER_LIMITS } from '../../../platform/config/limits/scheduler';
import { AlsoAllows, MatchesSchema } from '../../../platform/http/dto-rules';
import type { SchemaNode } from '../../../platform/microversion/versioned-schema';
import { IsNovaBoolean, IsNovaId, IsNovaInteger } from '../nova-values';

const { guestTextCharacters, listedPerServer, metadataKeys, serversPerRequest, tags } = SERVER_LIMITS;

/** Hints by name. The scheduler validates the individual hints. */
const IsHints = (): PropertyDecorator =>
  MatchesSchema({ type: 'object', maxProperties: SCHEDULER_LIMITS.keysPerDocument });

const IsMetadata = (): PropertyDecorator => IsScalarMap({ keysMax: metadataKeys });

class ComputeSecurityGroupDto {
  @IsFilledText() readonly name!: string;
}

const TEXT_OR_NULL = { type: ['string', 'null'], maxLength: MAX_TEXT };

/** The members that placement reads; the others are ignored. */
const NETWORK = { type: 'object', properties: { uuid: { type: 'string', minLength: 1, maxLength: MAX_TEXT } } };
const BLOCK_DEVICE = {
  type: 'object',
  properties: {
    /** 0 is the device that the server starts from. */
    boot_index: { type: ['integer', 'string', 'null'], pattern: '^-?[0-9]{1,6}$' },
    uuid: TEXT_OR_NULL,
    source_type: TEXT_OR_NULL,
    destination_type: TEXT_OR_NULL,
  },
};

interface BlockDevice {
  readonly boot_index?: number | string | null;
  readonly uuid?: string | null;
  readonly source_type?: string | null;
  readonly destination_type?: string | null;
}

const IsListed = (items: SchemaNode): PropertyDecorator =>
  MatchesSchema({ type: 'array', maxItems: listedPerServer, items });

export class ComputeNewServerDto {
  @IsName() readonly name!: string;
  @IsNovaId() readonly flavorRef!: string;
  /** Empty if the server boots from a volume. */
  @MayBeNull() @IsText() readonly imageRef?: string | null;
  @MayBeAbsent() @IsNovaInteger(1, serversPerRequest) readonly min_count?: number;
  @MayBeAbsent() @IsNovaInteger(1, serversPerRequest) readonly max_count?: number;
  /** `ZONE`, or `ZONE:HOST[:NODE]` from administrators. */
  @MayBeNull() @IsText() readonly availability_zone?: string | null;
  @MayBeAbsent() @IsFilledText() readonly host?: string;
  @MayBeAbsent() @IsFilledText() readonly hypervisor_hostname?: string;

  @AlsoAllows({ absent: true, words: ['auto', 'none'] })
  @IsListed(NETWORK)
  readonly networks?: readonly { readonly uuid?: string; readonly port?: unknown }[] | 'auto' | 'none';

  @NullIsAbsent()
  @IsListOf(() => ComputeSecurityGroupDto, listedPerServer)
  readonly security_groups?: readonly ComputeSecurityGroupDto[];

  @NullIsAbsent() @IsListed(BLOCK_DEVICE) readonly block_device_mapping_v2?: readonly BlockDevice[];
  @NullIsAbsent() @IsListed({ type: 'object' }) readonly personality?: readonly object[];
  @NullIsAbsent() @IsMetadata() readonly metadata?: ScalarMap;
  @MayBeNull() @IsText() readonly description?: string | null;
  @MayBeNull() @IsFilledText() readonly hostname?: string | null;
  @MayBeNull() @IsText() readonly key_name?: string | null;
  @MayBeNull() @IsAnyText(guestTextCharacters) readonly user_data?: string | null;
  @MayBeNull() @IsNovaBoolean() readonly config_drive?: boolean | null;
  @MayBeNull() @IsAnyText() readonly adminPass?: string | null;
  @MayBeNull() @IsText() readonly accessIPv4?: string | null;
  @MayBeNull() @IsText() readonly accessIPv6?: string | null;
  @MayBeAbsent() @IsNovaBoolean() readonly return_reservation_id?: boolean;
  @MayBeAbsent() @IsIn(['AUTO', 'MANUAL']) readonly 'OS-DCF:diskConfig'?: string;

  @NullIsAbsent() @IsFilledTexts(tags) readonly tags?: readonly string[];

  @MayBeNull() @IsFilledTexts(tags) readonly trusted_image_certificates?: readonly string[] | null;
}

/** The body of POST /servers. */
export class NewServerBody {
  @IsDocument(() => ComputeNewServerDto) readonly server!: ComputeNewServerDto;
  @MayBeAbsent() @IsHints() readonly 'os:scheduler_hints'?: Readonly<Record<string, unknown>>;
  @MayBeAbsent() @IsHints() readonly 'OS-SCH-HNT:scheduler_hints'?: Readonly<Record<string, unknown>>;
}

class ComputeServerChangeDto {
  @MayBeAbsent() @IsName() readonly name?: string;
  @MayBeNull() @IsText() readonly description?: string | null;
  @MayBeNull() @IsText() readonly accessIPv4?: string | null;
  @MayBeNull() @IsText() readonly accessIPv6?: string | null;
  @MayBeAbsent() @IsFilledText() readonly hostname?: string;
  @MayBeAbsent() @IsIn(['AUTO', 'MANUAL']) readonly 'OS-DCF:diskConfig'?: string;
}

/** The body of PUT /servers/{id}. */
export class ServerChangeBody {
  @IsDocument(() => ComputeServerChangeDto) readonly server!: ComputeServerChangeDto;
}

/** The body of POST and PUT /servers/{id}/metadata. */
export class MetadataBody {
  @IsMetadata() readonly metadata!: ScalarMap;
}

/** The body of PUT /servers/{id}/metadata/{key}: the key of the path alone. */
export class MetadataKeyBody {
  @IsScalarMap({ keysMax: 1 }) readonly meta!: ScalarMap;
}

class ComputeResizeDto {
  @IsNovaId() readonly flavorRef!: string;
  @MayBeAbsent() @IsIn(['AUTO', 'MANUAL']) readonly 'OS-DCF:diskConfig'?: string;
}

class ComputeMigrateDto {
  @MayBeNull() @IsFilledText() readonly host?: string | null;
}

class ComputeLiveMigrateDto {
  @MayBeNull() @IsFilledText() readonly host?: string | null;
  @AlsoAllows({ absent: true, words: ['auto'] }) @IsNovaBoolean() readonly block_migration?: boolean | 'auto';
  @MayBeNull() @IsNovaBoolean() readonly disk_over_commit?: boolean | null;
  @MayBeNull() @IsNovaBoolean() readonly force?: boolean | null;
}

class ComputeEvacuateDto {
  @MayBeNull() @IsFilledText() readonly host?: string | null;
  @MayBeNull() @IsAnyText() readonly adminPass?: string | null;
  @MayBeNull() @IsNovaBoolean() readonly onSharedStorage?: boolean | null;
  @MayBeNull() @IsNovaBoolean() readonly force?: boolean | null;
}

class ComputeUnshelveDto {
  @MayBeNull() @IsFilledText() readonly availability_zone?: string | null;
  @MayBeAbsent() @IsFilledText() readonly host?: string;
}

export class ComputeRebuildDto {
  @IsUuid() readonly imageRef!: string;
  @MayBeAbsent() @IsName() readonly name?: string;
  @MayBeAbsent() @IsMetadata() readonly metadata?: ScalarMap;
  @MayBeNull() @IsText() readonly description?: string | null;
  @MayBeNull() @IsAnyText() readonly adminPass?: string | null;
  @MayBeNull() @IsText() readonly key_name?: string | null;
  @MayBeNull() @IsText() readonly hostname?: string | null;
  @MayBeNull() @IsText() readonly accessIPv4?: string | null;
  @MayBeNull() @IsText() readonly accessIPv6?: string | null;
  @MayBeNull() @IsAnyText(guestTextCharacters) readonly user_data?: string | null;
  @MayBeAbsent() @IsIn(['AUTO', 'MANUAL']) readonly 'OS-DCF:diskConfig'?: string;
  @MayBeAbsent() @IsNovaBoolean() readonly preserve_ephemeral?: boolean;
  @MayBeAbsent() @IsNovaBoolean() readonly reimage_boot_volume?: boolean;
}

class ComputeRebootDto {
  @IsIn(['SOFT', 'HARD', 'soft', 'hard', 'Soft', 'Hard']) readonly type!: string;
}

class ComputeLockDto {
  @MayBeAbsent() @IsFilledText() readonly locked_reason?: string;
}

class ComputeResetStateDto {
  @IsIn(['active', 'error']) readonly state!: 'active' | 'error';
}

class ComputeConsoleOutputDto {
  /** Number of lines; -1 is all of them. */
  @MayBeNull() @IsNovaInteger(-1, 999_999) readonly length?: number | null;
}

class ComputeConsoleDto {
  @IsFilledText() readonly type!: string;
}

class ComputeRemoteConsoleDto extends ComputeConsoleDto {
  @IsFilledText() readonly protocol!: string;
}

/** The body of POST /servers/{id}/remote-consoles. */
export class RemoteConsoleBody {
  @IsDocument(() => ComputeRemoteConsoleDto) readonly remote_console!: ComputeRemoteConsoleDto;
}

/** An action without arguments. Old clients send other values than null, so any value is accepted. */
const TakesNothing = (): PropertyDecorator => (target, key) => {
  MayBeAbsent()(target, key);
  MatchesSchema({})(target, key);
};

/** The body of POST /servers/{id}/action: exactly one action. */
export class ServerActionBody {
  @MayBeAbsent() @IsDocument(() => ComputeResizeDto) readonly resize?: ComputeResizeDto;
  @TakesNothing() readonly confirmResize?: unknown;
  @TakesNothing() readonly revertResize?: unknown;
  @MayBeNull() @IsDocument(() => ComputeMigrateDto) readonly migrate?: ComputeMigrateDto | null;
  @MayBeAbsent() @IsDocument(() => ComputeLiveMigrateDto) readonly 'os-migrateLive'?: ComputeLiveMigrateDto;
  @MayBeAbsent() @IsDocument(() => ComputeEvacuateDto) readonly evacuate?: ComputeEvacuateDto;
  @TakesNothing() readonly shelve?: unknown;
  @TakesNothing() readonly shelveOffload?: unknown;
  @MayBeNull() @IsDocument(() => ComputeUnshelveDto) readonly unshelve?: ComputeUnshelveDto | null;
  @MayBeAbsent() @IsDocument(() => ComputeRebuildDto) readonly rebuild?: ComputeRebuildDto;
  @MayBeAbsent() @IsDocument(() => ComputeRebootDto) readonly reboot?: ComputeRebootDto;
  @TakesNothing() readonly 'os-start'?: unknown;
  @TakesNothing() readonly 'os-stop'?: unknown;
  @TakesNothing() readonly pause?: unknown;
  @TakesNothing() readonly unpause?: unknown;
  @TakesNothing() readonly suspend?: unknown;
  @TakesNothing() readonly resume?: unknown;
  @MayBeNull() @IsDocument(() => ComputeLockDto) readonly lock?: ComputeLockDto | null;
  @TakesNothing() readonly unlock?: unknown;
  @MayBeAbsent() @IsDocument(() => ComputeResetStateDto) readonly 'os-resetState'?: ComputeResetStateDto;
  @TakesNothing() readonly forceDelete?: unknown;
  @MayBeNull()
  @IsDocument(() => ComputeConsoleOutputDto)
  readonly 'os-getConsoleOutput'?: ComputeConsoleOutputDto | null;
  @MayBeAbsent() @IsDocument(() => ComputeConsoleDto) readonly 'os-getVNCConsole'?: ComputeConsoleDto;
  @MayBeAbsent() @IsDocument(() => ComputeConsoleDto) readonly 'os-getSPICEConsole'?: ComputeConsoleDto;
  @MayBeAbsent() @IsDocument(() => ComputeConsoleDto) readonly 'os-getRDPConsole'?: ComputeConsoleDto;
  @MayBeAbsent() @IsDocument(() => ComputeConsoleDto) readonly 'os-getSerialConsole'?: ComputeConsoleDto;
}
