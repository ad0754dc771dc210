import 'reflect-metadata';
import { IsIn } from 'class-validator';
import { MAX_INT } from '../../placement/domain/inventory';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import type { GroupPolicyName } from '../../scheduling-rules/request-spec/request-spec';
import { IsCount, IsDocument, IsFilledText, IsName, IsUuid, IsUuids, MayBeAbsent, MayBeNull } from '../registry-schema';

export const GROUP_POLICIES = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'] as const;

export class GroupRulesDto {
  @MayBeNull() @IsCount(1, MAX_INT) readonly max_server_per_host?: number | null;
}

/** The body of POST and PUT. It has no `hosts`, because the members determine them. */
export class ServerGroupDto {
  @MayBeAbsent() @IsUuid() readonly uuid?: string;
  @IsName() readonly name!: string;
  @MayBeNull() @IsFilledText() readonly project_id?: string | null;
  @MayBeNull() @IsFilledText() readonly user_id?: string | null;
  @IsIn(GROUP_POLICIES) readonly policy!: GroupPolicyName;

  @MayBeNull() @IsDocument(() => GroupRulesDto) readonly rules?: GroupRulesDto | null;

  @MayBeAbsent() @IsUuids(SCHEDULER_LIMITS.membersPerGroup) readonly members?: readonly string[];
  @MayBeAbsent() @IsCount() readonly generation?: number;
}

/**
 * The body of PATCH. Absent fields keep their value. Policy and rules cannot change, because they placed the members.
 */
export class ServerGroupPatchDto {
  @MayBeAbsent() @IsName() readonly name?: string;
  @MayBeNull() @IsFilledText() readonly project_id?: string | null;
  @MayBeNull() @IsFilledText() readonly user_id?: string | null;
  @MayBeAbsent() @IsCount() readonly generation?: number;
}
