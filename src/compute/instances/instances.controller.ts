import { Controller, Delete, Get, Param } from '@nestjs/common';
import { noContent, ok } from '../../http/answer';
import type { Answer } from '../../http/answer';
import type { RequestContext } from '../../http/request-context';
import { Context, Policy } from '../../http/route.decorators';
import { listQueryOf, presentPage, refuseQuery, uuidFilter } from '../registry-page';
import { uuidInPath } from '../registry-path';
import { presentInstance, presentPlaced } from './instances.presenter';
import { InstancesService } from './instances.service';

@Controller('scheduler/instances')
export class InstancesController {
  constructor(private readonly instances: InstancesService) {}

  @Get()
  @Policy('berth:scheduler:instances:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const texts = ['host', 'node', 'project_id', 'user_id', 'flavor_id', 'request_id', 'state'];
    const query = listQueryOf(queryText, [...texts, 'image_uuid', 'server_group']);
    const filter = {
      host: query.filters.get('host'),
      node: query.filters.get('node'),
      projectId: query.filters.get('project_id'),
      userId: query.filters.get('user_id'),
      flavor: query.filters.get('flavor_id'),
      image: uuidFilter(query, 'image_uuid'),
      group: uuidFilter(query, 'server_group'),
      requestId: query.filters.get('request_id'),
      state: query.filters.get('state'),
    };
    return ok(presentPage('instances', await this.instances.list(filter, query), presentPlaced));
  }

  @Get(':uuid')
  @Policy('berth:scheduler:instances:show')
  async show(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    return ok(presentInstance(await this.instances.get(uuidInPath('uuid', uuid))));
  }

  /** Releases the claim. */
  @Delete(':uuid')
  @Policy('berth:scheduler:instances:delete')
  async release(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    await this.instances.release(uuidInPath('uuid', uuid));
    return noContent();
  }
}
