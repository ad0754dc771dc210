import { Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { canonicalUuid } from '../../../domain/uuid';
import type { ServerGroup } from '../../../compute/server-groups/server-group.entity';
import { ServerGroupsService } from '../../../compute/server-groups/server-groups.service';
import { SCHEDULER_LIMITS } from '../../../config/limits';
import { NotFound } from '../../../domain/errors';
import { FIELD_RULES, bodyFault, queryFault, shown as quoted } from '../../../domain/field-fault';
import type { Answer } from '../../../http/answer';
import { DtoBody } from '../../../http/dto-body.decorator';
import { QueryParams } from '../../../http/query-params';
import type { RequestContext } from '../../../http/request-context';
import { NOTHING, Operation } from '../../../http/operation.decorator';
import { INTEGER_TEXT, TEXT } from '../../../http/answer-schemas';
import { PAGE, holding, listing } from '../../facade.responses';
import { Context, Policy } from '../../../http/route.decorators';
import type { GroupPolicyName } from '../../../scheduling/request/request-spec';
import type { ComputeVersion } from '../../compute-version';
import { ComputeApi, FacadeController } from '../../facade.decorators';
import { AsCaller, maySee } from '../compute-caller';
import type { ComputeCaller } from '../compute-caller';
import { queriedBoolean, pageQueryOf } from '../compute-query';
import { tooNew } from '../too-new';
import { presentComputeServerGroup } from './compute-server-groups.presenter';
import { NewServerGroupBody } from './compute-server-groups.schema';

const GROUP_LIST = {
  limit: PAGE['limit'],
  offset: { ...INTEGER_TEXT, description: 'How many are passed over.' },
  all_projects: { ...TEXT, description: 'Of all projects, for administrators.' },
};

@FacadeController('compute/v2.1/os-server-groups')
export class ComputeServerGroupsController {
  constructor(private readonly groups: ServerGroupsService) {}

  @Get()
  @Operation('listComputeServerGroups', 'Lists server groups.', {
    answers: { 200: listing('server_groups') },
    query: GROUP_LIST,
  })
  @Policy('berth:facade:compute:server_groups')
  async list(
    @AsCaller() caller: ComputeCaller,
    @ComputeApi() api: ComputeVersion,
    @Context() { queryText }: RequestContext,
  ): Promise<object> {
    const query = QueryParams.parse(queryText);
    const isAll = caller.isAdmin && query.last('all_projects') !== undefined && queriedBoolean(query, 'all_projects');
    const found = await this.all(isAll === true ? undefined : caller.projectId);
    const offset = query.last('offset') ?? '0';
    if (!/^\d{1,9}$/.test(offset)) throw queryFault('offset', `must be an integer, not '${quoted(offset)}'`);
    const { limit } = pageQueryOf(query);
    const shown = found.slice(Number(offset), Number(offset) + limit);
    return { server_groups: shown.map((group) => presentComputeServerGroup(group, api)) };
  }

  @Post()
  @Operation('createComputeServerGroup', 'Creates a server group.', { answers: { 200: holding('server_group') } })
  @HttpCode(200)
  @Policy('berth:facade:compute:server_groups')
  async create(
    @DtoBody(NewServerGroupBody) { server_group: group }: NewServerGroupBody,
    @AsCaller() { projectId, userId }: ComputeCaller,
    @ComputeApi() api: ComputeVersion,
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
  @Operation('showComputeServerGroup', 'Shows a server group.', { answers: { 200: holding('server_group') } })
  @Policy('berth:facade:compute:server_groups')
  async show(
    @Param('id') id: string,
    @AsCaller() caller: ComputeCaller,
    @ComputeApi() api: ComputeVersion,
  ): Promise<object> {
    return { server_group: presentComputeServerGroup(await this.visible(id, caller), api) };
  }

  /** Servers may be in it; they are in none then. */
  @Delete(':id')
  @Operation('deleteComputeServerGroup', 'Deletes a server group.', { answers: { 204: NOTHING } })
  @HttpCode(204)
  @Policy('berth:facade:compute:server_groups')
  async remove(@Param('id') id: string, @AsCaller() caller: ComputeCaller): Promise<Answer> {
    const group = await this.visible(id, caller);
    if (group.members.length > 0) await this.groups.put(group.uuid, { ...group, members: [] }, group.generation);
    await this.groups.remove(group.uuid);
    return { status: 204 };
  }

  private async visible(id: string, caller: ComputeCaller): Promise<ServerGroup> {
    const uuid = canonicalUuid(id);
    const group = uuid === undefined ? undefined : await this.groups.get(uuid);
    if (group !== undefined && maySee(caller, group.projectId)) return group;
    throw new NotFound(`Instance group ${id} could not be found.`);
  }

  private async all(projectId: string | undefined): Promise<readonly ServerGroup[]> {
    const found: ServerGroup[] = [];
    let marker: string | undefined;
    do {
      const { items, next } = await this.groups.list({ projectId }, { limit: SCHEDULER_LIMITS.listMax, marker });
      found.push(...items);
      marker = next ?? undefined;
    } while (marker !== undefined);
    return found;
  }
}

/** One policy, in the form of the version asked for. */
function policyOf(group: NewServerGroupBody['server_group'], api: ComputeVersion): GroupPolicyName {
  const isNew = api.has('groupPolicy');
  const other = isNew ? 'policies' : group.policy !== undefined ? 'policy' : 'rules';
  if (group[other] !== undefined) throw tooNew(`server_group.${other}`);
  const policy = isNew ? group.policy : group.policies?.[0];
  if (policy === undefined) throw bodyFault('server_group', FIELD_RULES.required(isNew ? 'policy' : 'policies'));
  return policy;
}
