import { Controller } from '@nestjs/common';
import { oneOf, TEXT, UUID_TEXT } from '../../platform/http/answer-schemas';
import type { Written } from '../registry';
import type { ListQuery } from '../registry-page';
import { registryController } from '../registry.controller';
import type { ServerGroup } from './server-group.entity';
import { SERVER_GROUP } from './server-groups.responses';
import { GROUP_POLICIES, ServerGroupDto, ServerGroupPatchDto } from './server-groups.schema';
import type { GroupDefinition, GroupFilter } from './server-groups.service';
import { ServerGroupsService } from './server-groups.service';

const Routes = registryController({
  service: ServerGroupsService,
  collection: 'server_groups',
  key: 'uuid',
  definition: ServerGroupDto,
  patch: ServerGroupPatchDto,
  document: SERVER_GROUP,
  audited: ['uuid', 'name', 'policy', 'rules', 'project_id', 'user_id', 'members', 'generation'],
  filters: { name: TEXT, project_id: TEXT, policy: oneOf(...GROUP_POLICIES), member: UUID_TEXT },
});

@Controller('scheduler/server_groups')
export class ServerGroupsController extends Routes {
  constructor(readonly registry: ServerGroupsService) {
    super();
  }

  filterOf(query: ListQuery): GroupFilter {
    return {
      name: query.filters.last('name'),
      projectId: query.filters.last('project_id'),
      policy: query.filters.choice('policy', GROUP_POLICIES),
      member: query.filters.uuid('member'),
    };
  }

  definitionOf(body: ServerGroupDto): GroupDefinition {
    return {
      name: body.name,
      projectId: body.project_id ?? null,
      userId: body.user_id ?? null,
      policy: body.policy,
      maxServerPerHost: body.rules?.max_server_per_host ?? null,
      members: body.members,
    };
  }

  changed(uuid: string, body: ServerGroupPatchDto): Promise<Written<ServerGroup>> {
    const { name, project_id: projectId, user_id: userId, generation } = body;
    return this.registry.change(uuid, generation, { name, projectId, userId });
  }
}
