import 'reflect-metadata';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { IsDocument, IsName, MayBeAbsent, NullIsAbsent } from '../../../compute/registry-schema';
import { GROUP_POLICIES } from '../../../compute/server-groups/server-groups.schema';
import { MAX_INT } from '../../../placement/domain/inventory';
import type { GroupPolicyName } from '../../../scheduling-rules/request-spec/request-spec';
import { IsNovaInteger } from '../nova-values';

class ComputeGroupRulesDto {
  @MayBeAbsent() @IsNovaInteger(1, MAX_INT) readonly max_server_per_host?: number;
}

class ComputeNewServerGroupDto {
  @IsName() readonly name!: string;

  /** Old versions: a list with one entry. */
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1)
  @IsIn(GROUP_POLICIES, { each: true })
  readonly policies?: readonly GroupPolicyName[];

  @MayBeAbsent() @IsIn(GROUP_POLICIES) readonly policy?: GroupPolicyName;
  @NullIsAbsent() @IsDocument(() => ComputeGroupRulesDto) readonly rules?: ComputeGroupRulesDto;
}

/** The body of POST /os-server-groups. */
export class NewServerGroupBody {
  @IsDocument(() => ComputeNewServerGroupDto) readonly server_group!: ComputeNewServerGroupDto;
}
