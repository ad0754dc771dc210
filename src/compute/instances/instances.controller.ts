import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { noContent, ok } from '../../platform/http/answer';
import { TEXT, UUID_TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Audited, Context, Policy } from '../../platform/http/route.decorators';
import { listQueryOf, presentPage, refuseQuery } from '../registry-page';
import { uuidInPath } from '../registry-path';
import { pageParameters, pageSchemaOf } from '../registry.responses';
import { INSTANCE, PLACED_INSTANCE, presentInstance } from './instances.responses';
import { InstancesService } from './instances.service';

const FILTERS = {
  host: TEXT,
  node: TEXT,
  project_id: TEXT,
  user_id: TEXT,
  flavor_id: TEXT,
  request_id: TEXT,
  state: TEXT,
  image_uuid: UUID_TEXT,
  server_group: UUID_TEXT,
};

@Controller('scheduler/instances')
export class InstancesController {
  constructor(private readonly instances: InstancesService) {}

  @Get()
  @Operation(
    'listInstances',
    'Lists the instances that Berth placed.',
    json(pageSchemaOf('Instances', 'instances', PLACED_INSTANCE.schema)),
    { query: pageParameters(FILTERS) },
  )
  @ClientFunction('scheduler.instances.list')
  @Policy('berth:scheduler:instances:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const query = listQueryOf(queryText, Object.keys(FILTERS));
    const filter = {
      host: query.filters.last('host'),
      node: query.filters.last('node'),
      projectId: query.filters.last('project_id'),
      userId: query.filters.last('user_id'),
      flavorId: query.filters.last('flavor_id'),
      imageUuid: query.filters.uuid('image_uuid'),
      groupUuid: query.filters.uuid('server_group'),
      requestId: query.filters.last('request_id'),
      state: query.filters.last('state'),
    };
    return ok(presentPage('instances', await this.instances.list(filter, query), PLACED_INSTANCE.present));
  }

  @Get(':uuid')
  @Operation('showInstance', 'Shows an instance that Berth placed, with its allocations.', json(INSTANCE))
  @ClientFunction('scheduler.instances.get')
  @Policy('berth:scheduler:instances:show')
  async show(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    return ok(presentInstance(await this.instances.get(uuidInPath('uuid', uuid))));
  }

  @Post(':uuid/unpin_zone')
  @Operation('unpinZone', 'Lets an instance move out of the availability zone that it asked for.', json(INSTANCE))
  @ClientFunction('scheduler.instances.unpinZone')
  @Policy('berth:scheduler:instances:move')
  @Audited('update/unpin_zone', 'scheduler/instance')
  async unpinZone(@Param('uuid') text: string, @Context() { queryText }: RequestContext): Promise<object> {
    refuseQuery(queryText);
    const uuid = uuidInPath('uuid', text);
    await this.instances.unpinZone(uuid);
    return presentInstance(await this.instances.get(uuid));
  }

  @Delete(':uuid')
  @Operation('releaseInstance', 'Releases the claim of an instance.', NOTHING)
  @ClientFunction('scheduler.instances.release')
  @Policy('berth:scheduler:instances:delete')
  @Audited('delete/placement', 'scheduler/instance')
  async release(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    await this.instances.release(uuidInPath('uuid', uuid));
    return noContent();
  }
}
