// Request bodies for servers. Fields that only the guest would use are accepted and ignored: Berth runs no guests.
import 'reflect-metadata';
import { IsIn, ValidateBy } from 'class-validator';
import type { ScalarMap } from '../../../compute/registry-schema';
import {
  IsDocument,
  IsFilledText,
  IsFilledTexts,
  IsListOf,
  IsName,
  IsScalarMap,
  IsText,
  IsUuid,
  MayBeAbsent,
  MayBeNull,
  NullIsAbsent,
} from '../../../compute/registry-schema';
import { SERVER_LIMITS } from '../../../platform/config/limits/practice-cloud';
import { SCHEDULER_LIMITS } from '../../../platform/config/limits/scheduler';
import { AlsoAllows, MatchesSchema } from '../../../platform/http/dto-rules';

const { guestTextCharacters, listedPerServer, metadataKeys, serversPerRequest, tags } = SERVER_LIMITS;

/** A number, or a text of digits, because clients of the Compute API send both. */
const isNumber = (value: unknown, max: number): boolean =>
  /^\d{1,9}$/.test(typeof value === 'number' || typeof value === 'string' ? String(value) : '') &&
  Number(value) >= 1 &&
  Number(value) <= max;

const IsNumberOfServers = (): PropertyDecorator =>
  ValidateBy({
    name: 'isNumberOfServers',
    constraints: [{ type: ['integer', 'string'], pattern: '^[0-9]{1,9}$' }],
    validator: {
      validate: (value: unknown) => isNumber(value, serversPerRequest),
      defaultMessage: () => `$property must be a number from 1 to ${serversPerRequest}`,
    },
  });

/** A boolean, or its text. */
const IsYesOrNo = (): PropertyDecorator => IsIn([true, false, 'True', 'False', 'true', 'false', '']);

/** Hints by name. The scheduler validates the individual hints. */
const IsHints = (): PropertyDecorator =>
  MatchesSchema({ type: 'object', maxProperties: SCHEDULER_LIMITS.keysPerDocument });

const IsMetadata = (): PropertyDecorator => IsScalarMap({ keysMax: metadataKeys });

class ComputeNetworkDto {
  @MayBeAbsent() @IsFilledText() readonly uuid?: string;
  @MayBeAbsent() @IsFilledText() readonly port?: string;
  @MayBeAbsent() @IsText() readonly fixed_ip?: string;
  @MayBeAbsent() @IsText() readonly tag?: string;
}

class ComputeSecurityGroupDto {
  @IsFilledText() readonly name!: string;
}

const IsIndex = (): PropertyDecorator =>
  MatchesSchema({ type: ['integer', 'string'], pattern: '^(-?[0-9]{1,6}|)$', minimum: -999_999, maximum: 999_999 });

class ComputeBlockDeviceDto {
  @MayBeNull() @IsIndex() readonly boot_index?: number | string | null;
  @MayBeNull() @IsText() readonly uuid?: string | null;
  @MayBeNull() @IsText() readonly source_type?: string | null;
  @MayBeNull() @IsText() readonly destination_type?: string | null;
  @MayBeNull() @IsYesOrNo() readonly delete_on_termination?: boolean | string | null;
  @MayBeNull() @IsText() readonly device_name?: string | null;
  @MayBeNull() @IsText() readonly device_type?: string | null;
  @MayBeNull() @IsText() readonly disk_bus?: string | null;
  @MayBeNull() @IsText() readonly guest_format?: string | null;
  @MayBeNull() @IsYesOrNo() readonly no_device?: boolean | string | null;
  @MayBeNull() @IsIndex() readonly volume_size?: number | string | null;
  @MayBeNull() @IsText() readonly volume_type?: string | null;
  @MayBeNull() @IsText() readonly tag?: string | null;
}

class ComputeFileDto {
  @IsText() readonly path!: string;
  @IsText(guestTextCharacters) readonly contents!: string;
}

export class ComputeNewServerDto {
  @IsName() readonly name!: string;
  @IsFilledText() readonly flavorRef!: string;
  /** Empty if the server boots from a volume. */
  @MayBeNull() @IsText() readonly imageRef?: string | null;
  @MayBeAbsent() @IsNumberOfServers() readonly min_count?: number | string;
  @MayBeAbsent() @IsNumberOfServers() readonly max_count?: number | string;
  /** `ZONE`, or `ZONE:HOST[:NODE]` from administrators. */
  @MayBeNull() @IsText() readonly availability_zone?: string | null;
  @MayBeAbsent() @IsFilledText() readonly host?: string;
  @MayBeAbsent() @IsFilledText() readonly hypervisor_hostname?: string;

  @AlsoAllows({ absent: true, words: ['auto', 'none'] })
  @IsListOf(() => ComputeNetworkDto, listedPerServer)
  readonly networks?: readonly ComputeNetworkDto[] | 'auto' | 'none';

  @NullIsAbsent()
  @IsListOf(() => ComputeSecurityGroupDto, listedPerServer)
  readonly security_groups?: readonly ComputeSecurityGroupDto[];

  @NullIsAbsent()
  @IsListOf(() => ComputeBlockDeviceDto, listedPerServer)
  readonly block_device_mapping_v2?: readonly ComputeBlockDeviceDto[];

  @NullIsAbsent() @IsListOf(() => ComputeFileDto, listedPerServer) readonly personality?: readonly ComputeFileDto[];
  @NullIsAbsent() @IsMetadata() readonly metadata?: ScalarMap;
  @MayBeNull() @IsText() readonly description?: string | null;
  @MayBeNull() @IsFilledText() readonly hostname?: string | null;
  @MayBeNull() @IsText() readonly key_name?: string | null;
  @MayBeNull() @IsText(guestTextCharacters) readonly user_data?: string | null;
  @MayBeNull() @IsYesOrNo() readonly config_drive?: boolean | string | null;
  @MayBeNull() @IsText() readonly adminPass?: string | null;
  @MayBeNull() @IsText() readonly accessIPv4?: string | null;
  @MayBeNull() @IsText() readonly accessIPv6?: string | null;
  @MayBeAbsent() @IsYesOrNo() readonly return_reservation_id?: boolean | string;
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

class ComputeResizeDto {
  @IsFilledText() readonly flavorRef!: string;
  @MayBeAbsent() @IsIn(['AUTO', 'MANUAL']) readonly 'OS-DCF:diskConfig'?: string;
}

class ComputeMigrateDto {
  @MayBeNull() @IsFilledText() readonly host?: string | null;
}

class ComputeLiveMigrateDto {
  @MayBeNull() @IsFilledText() readonly host?: string | null;
  @MayBeAbsent()
  @IsIn([true, false, 'auto', 'True', 'False'])
  readonly block_migration?: boolean | string;
  @MayBeNull() @IsYesOrNo() readonly disk_over_commit?: boolean | string | null;
  @MayBeNull() @IsYesOrNo() readonly force?: boolean | string | null;
}

class ComputeEvacuateDto {
  @MayBeNull() @IsFilledText() readonly host?: string | null;
  @MayBeNull() @IsText() readonly adminPass?: string | null;
  @MayBeNull() @IsYesOrNo() readonly onSharedStorage?: boolean | string | null;
  @MayBeNull() @IsYesOrNo() readonly force?: boolean | string | null;
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
  @MayBeNull() @IsText() readonly adminPass?: string | null;
  @MayBeNull() @IsText() readonly key_name?: string | null;
  @MayBeNull() @IsText() readonly hostname?: string | null;
  @MayBeNull() @IsText() readonly accessIPv4?: string | null;
  @MayBeNull() @IsText() readonly accessIPv6?: string | null;
  @MayBeNull() @IsText(guestTextCharacters) readonly user_data?: string | null;
  @MayBeAbsent() @IsIn(['AUTO', 'MANUAL']) readonly 'OS-DCF:diskConfig'?: string;
  @MayBeAbsent() @IsYesOrNo() readonly preserve_ephemeral?: boolean | string;
  @MayBeAbsent() @IsYesOrNo() readonly reimage_boot_volume?: boolean | string;
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
  /** Number of lines. */
  @MayBeNull() @IsIndex() readonly length?: number | string | null;
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
