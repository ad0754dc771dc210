import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  Matches,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { SCHEDULER_LIMITS } from '../../../config/limits';
import { MAX_INT } from '../../../domain/inventory';
import type { GroupPolicyName } from '../../request/request-spec';
import { IsCount, IsFilledText, IsName, IsUuid, UUID } from '../registry-schema';

export const GROUP_POLICIES = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'] as const;

export class GroupRulesDto {
  @IsOptional() @IsCount(1, MAX_INT) readonly max_server_per_host?: number | null;
}

/** The body of POST and PUT. `hosts` follows from the members and is not written. */
export class ServerGroupDto {
  @IsOptional() @IsUuid() readonly uuid?: string;
  @IsName() readonly name!: string;
  @IsOptional() @IsFilledText() readonly project_id?: string | null;
  @IsOptional() @IsFilledText() readonly user_id?: string | null;
  @IsIn(GROUP_POLICIES) readonly policy!: GroupPolicyName;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => GroupRulesDto)
  readonly rules?: GroupRulesDto | null;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(SCHEDULER_LIMITS.membersPerGroup)
  @Matches(UUID, { each: true, message: 'each value in members must be a uuid' })
  readonly members?: readonly string[];

  @IsOptional() @IsCount() readonly generation?: number;
}

/** The body of PATCH: what is absent stays. Policy and rules stay for good: members were placed by them. */
export class ServerGroupPatchDto {
  @ValidateIf(({ name }: ServerGroupPatchDto) => name !== undefined)
  @IsName()
  readonly name?: string;

  @IsOptional() @IsFilledText() readonly project_id?: string | null;
  @IsOptional() @IsFilledText() readonly user_id?: string | null;
  @IsOptional() @IsCount() readonly generation?: number;
}
