import { Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import { created, noContent, ok, pathOf } from '../../../http/answer';
import type { Answer } from '../../../http/answer';
import { DtoBody } from '../../../http/dto-body.decorator';
import type { RequestContext } from '../../../http/request-context';
import { Context, Policy } from '../../../http/route.decorators';
import { choiceFilter, listQueryOf, presentPage, refuseQuery, uuidFilter } from '../registry-page';
import { refuseOtherUuid, uuidInPath } from '../registry-path';
import { presentServerGroup } from './server-groups.presenter';
import { GROUP_POLICIES, ServerGroupDto, ServerGroupPatchDto } from './server-groups.schema';
import { ServerGroupsService } from './server-groups.service';
import type { WrittenGroup } from './server-groups.service';

@Controller('scheduler/server_groups')
export class ServerGroupsController {
  constructor(private readonly groups: ServerGroupsService) {}

  @Get()
  @Policy('berth:scheduler:server_groups:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const query = listQueryOf(queryText, ['name', 'project_id', 'policy', 'member']);
    const filter = {
      name: query.filters.get('name'),
      projectId: query.filters.get('project_id'),
      policy: choiceFilter(query, 'policy', GROUP_POLICIES),
      member: uuidFilter(query, 'member'),
    };
    return ok(
      presentPage('server_groups', await this.groups.list(filter, query), (group) => presentServerGroup(group)),
    );
  }

  @Post()
  @Policy('berth:scheduler:server_groups:create')
  async create(
    @DtoBody(ServerGroupDto) body: ServerGroupDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { group, warnings } = await this.groups.create(writtenOf(body), body.uuid?.toLowerCase());
    return created(pathOf('scheduler', 'server_groups', group.uuid), presentServerGroup(group, warnings));
  }

  @Get(':uuid')
  @Policy('berth:scheduler:server_groups:show')
  async show(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    return ok(presentServerGroup(await this.groups.get(uuidInPath('uuid', uuid))));
  }

  @Put(':uuid')
  @Policy('berth:scheduler:server_groups:update')
  async put(
    @Param('uuid') text: string,
    @DtoBody(ServerGroupDto) body: ServerGroupDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const uuid = uuidInPath('uuid', text);
    refuseOtherUuid(uuid, body.uuid);
    const { isNew, group, warnings } = await this.groups.put(uuid, writtenOf(body), body.generation);
    const document = presentServerGroup(group, warnings);
    return isNew ? created(pathOf('scheduler', 'server_groups', uuid), document) : ok(document);
  }

  @Patch(':uuid')
  @Policy('berth:scheduler:server_groups:update')
  async change(
    @Param('uuid') uuid: string,
    @DtoBody(ServerGroupPatchDto) body: ServerGroupPatchDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { name, project_id: projectId, user_id: userId, generation } = body;
    const change = { name, projectId, userId, generation };
    const { group, warnings } = await this.groups.change(uuidInPath('uuid', uuid), change);
    return ok(presentServerGroup(group, warnings));
  }

  @Delete(':uuid')
  @Policy('berth:scheduler:server_groups:delete')
  async remove(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    await this.groups.remove(uuidInPath('uuid', uuid));
    return noContent();
  }
}

const writtenOf = (body: ServerGroupDto): WrittenGroup => ({
  name: body.name,
  projectId: body.project_id ?? null,
  userId: body.user_id ?? null,
  policy: body.policy,
  maxServerPerHost: body.rules?.max_server_per_host ?? null,
  members: body.members?.map((uuid) => uuid.toLowerCase()),
});
