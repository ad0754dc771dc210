import 'reflect-metadata';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { IsDocument, IsName, MayBeAbsent, NullIsAbsent } from '../../../compute/registry-schema';
import { GROUP_POLICIES, GroupRulesDto } from '../../../compute/server-groups/server-groups.schema';
import type { GroupPolicyName } from '../../../scheduling-rules/request-spec/request-spec';

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
  @NullIsAbsent() @IsDocument(() => GroupRulesDto) readonly rules?: GroupRulesDto;
}

/** The body of POST /os-server-groups. */
export class NewServerGroupBody {
  @IsDocument(() => ComputeNewServerGroupDto) readonly server_group!: ComputeNewServerGroupDto;
}
