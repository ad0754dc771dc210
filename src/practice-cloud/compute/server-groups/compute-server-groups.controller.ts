import { Delete, Get, Param, Post } from '@nestjs/common';
import { allOf, knownQuery } from '../../../compute/registry-page';
import type { ServerGroup } from '../../../compute/server-groups/server-group.entity';
import { ServerGroupsService } from '../../../compute/server-groups/server-groups.service';
import type { Answer } from '../../../platform/http/answer';
import { noContent } from '../../../platform/http/answer';
import { INTEGER_TEXT, TEXT } from '../../../platform/http/answer-schemas';
import { DtoBody } from '../../../platform/http/dto-body.decorator';
import { NOTHING, Operation } from '../../../platform/http/operation.decorator';
import { Audited, Policy } from '../../../platform/http/route.decorators';
import { NotFound } from '../../../platform/values/errors';
import { bodyFault, FIELD_RULES } from '../../../platform/values/field-fault';
import { canonicalUuid } from '../../../platform/values/uuid';
import type { GroupPolicyName } from '../../../scheduling-rules/request-spec/request-spec';
import { pageQueryOf, queriedBoolean, queriedInteger } from '../../practice-cloud-query';
import { PracticeController } from '../../practice-cloud.decorators';
import { holding, listing, PAGE } from '../../practice-cloud.responses';
import type { ComputeCaller, ComputeRequest } from '../compute-request';
import { ComputeCall, maySee, tooNew } from '../compute-request';
import { presentComputeServerGroup } from './compute-server-groups.presenter';
import { NewServerGroupBody } from './compute-server-groups.schema';

const GROUP_LIST = {
  limit: PAGE['limit'],
  offset: { ...INTEGER_TEXT, description: 'How many are passed over.' },
  all_projects: { ...TEXT, description: 'Of all projects, for administrators.' },
};

@PracticeController('compute/v2.1/os-server-groups')
export class ComputeServerGroupsController {
  constructor(private readonly groups: ServerGroupsService) {}

  @Get()
  @Operation('listComputeServerGroups', 'Lists server groups.', listing('server_groups'), { query: GROUP_LIST })
  @Policy('berth:practice_cloud:compute:server_groups')
  async list(@ComputeCall() { api, caller, context }: ComputeRequest): Promise<object> {
    const query = knownQuery(context.queryText, Object.keys(GROUP_LIST));
    const isAll = caller.isAdmin && queriedBoolean(query, 'all_projects') === true;
    const projectId = isAll ? undefined : caller.projectId;
    const found = await allOf((page) => this.groups.list({ projectId }, page));
    const offset = queriedInteger(query, 'offset') ?? 0;
    const shown = found.slice(offset, offset + pageQueryOf(query).limit);
    return { server_groups: shown.map((group) => presentComputeServerGroup(group, api)) };
  }

  @Post()
  @Operation('createComputeServerGroup', 'Creates a server group.', holding('server_group'))
  @Policy('berth:practice_cloud:compute:server_groups:manage')
  @Audited('create', 'compute/server_group')
  async create(
    @DtoBody(NewServerGroupBody) { server_group: group }: NewServerGroupBody,
    @ComputeCall() { caller: { projectId, userId }, api }: ComputeRequest,
  ): Promise<object> {
    const { document } = await this.groups.create({
      name: group.name,
      projectId,
      userId,
      policy: policyOf(group, api),
      maxServerPerHost: group.rules?.max_server_per_host ?? null,
      members: [],
    });
    return { server_group: presentComputeServerGroup(document, api) };
  }

  @Get(':id')
  @Operation('showComputeServerGroup', 'Shows a server group.', holding('server_group'))
  @Policy('berth:practice_cloud:compute:server_groups')
  async show(@Param('id') id: string, @ComputeCall() { caller, api }: ComputeRequest): Promise<object> {
    return { server_group: presentComputeServerGroup(await this.visible(id, caller), api) };
  }

  /** Also deletes a group with members; the servers are then in no group. */
  @Delete(':id')
  @Operation('deleteComputeServerGroup', 'Deletes a server group.', NOTHING)
  @Policy('berth:practice_cloud:compute:server_groups:manage')
  @Audited('delete', 'compute/server_group')
  async remove(@Param('id') id: string, @ComputeCall() { caller }: ComputeRequest): Promise<Answer> {
    const group = await this.visible(id, caller);
    if (group.members.length > 0) await this.groups.put(group.uuid, { ...group, members: [] }, group.generation);
    await this.groups.remove(group.uuid);
    return noContent();
  }

  private async visible(id: string, caller: ComputeCaller): Promise<ServerGroup> {
    const uuid = canonicalUuid(id);
    const group = uuid === undefined ? undefined : await this.groups.lookUp(uuid);
    if (group !== undefined && maySee(caller, group.projectId)) return group;
    throw new NotFound(`Instance group ${id} could not be found.`);
  }
}

/** The policy, in the form of the requested version. */
function policyOf(group: NewServerGroupBody['server_group'], api: ComputeRequest['api']): GroupPolicyName {
  const isNew = api.has('groupPolicy');
  const other = isNew ? 'policies' : group.policy !== undefined ? 'policy' : 'rules';
  if (group[other] !== undefined) throw tooNew(`server_group.${other}`);
  const policy = isNew ? group.policy : group.policies?.[0];
  if (policy === undefined) throw bodyFault('server_group', FIELD_RULES.required(isNew ? 'policy' : 'policies'));
  return policy;
}
