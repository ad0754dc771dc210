import { Controller, Delete, Get, Param, Post, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Answer } from '../../platform/http/answer';
import { created, noContent, ok } from '../../platform/http/answer';
import { parseJsonBody } from '../../platform/http/json-body';
import { ClientFunction, json, located, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import {
  AnswersJson,
  Api,
  Audited,
  Context,
  EveryRoute,
  Policy,
  Since,
  TakesJson,
  ValidBody,
} from '../../platform/http/route.decorators';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { since, until } from '../../platform/microversion/versioned-schema';
import { creatableName } from '../../platform/values/names';
import { newestOf } from '../../platform/values/newest';
import { presentResourceClass, presentResourceClasses, resourceClassPath } from './resource-classes.presenter';
import { RESOURCE_CLASS_SHOWN, RESOURCE_CLASSES } from './resource-classes.responses';
import type { ResourceClassBody } from './resource-classes.schema';
import { RESOURCE_CLASS } from './resource-classes.schema';
import { ResourceClassesService } from './resource-classes.service';

@Controller('resource_classes')
@EveryRoute(Since('resourceClassesApi'))
export class ResourceClassesController {
  constructor(private readonly resourceClasses: ResourceClassesService) {}

  @Get()
  @Operation('listResourceClasses', 'Lists resource classes.', json(RESOURCE_CLASSES))
  @ClientFunction('resourceClasses.list')
  @AnswersJson()
  @Policy('placement:resource_classes:list')
  async list(@Context() { mountPrefix }: RequestContext): Promise<Answer> {
    const all = await this.resourceClasses.list();
    return ok(presentResourceClasses(all, mountPrefix), { lastModified: newestOf(all, 'now') });
  }

  @Post()
  @Operation('createResourceClass', 'Creates a custom resource class.', { 201: located(NOTHING) })
  @Policy('placement:resource_classes:create')
  @Audited('create', 'placement/resource_class', ['name'])
  async create(@ValidBody(RESOURCE_CLASS) { name }: ResourceClassBody): Promise<Answer> {
    await this.resourceClasses.create(name);
    return created(resourceClassPath(name));
  }

  @Get(':name')
  @Operation('showResourceClass', 'Shows a resource class.', json(RESOURCE_CLASS_SHOWN))
  @ClientFunction('resourceClasses.get')
  @AnswersJson()
  @Policy('placement:resource_classes:show')
  async show(@Param('name') name: string, @Context() { mountPrefix }: RequestContext): Promise<Answer> {
    const found = await this.resourceClasses.get(name);
    return ok(presentResourceClass(found, mountPrefix), { lastModified: found.changedAt });
  }

  /** Old versions rename the class to the name in the body. Newer versions create or confirm it and ignore the body. */
  @Put(':name')
  @Operation(
    'ensureResourceClass',
    'Creates a custom resource class, or confirms it; old versions rename it.',
    {
      200: until('resourceClassPutIdempotent', json(RESOURCE_CLASS_SHOWN)),
      201: since('resourceClassPutIdempotent', located(NOTHING)),
      204: since('resourceClassPutIdempotent', located(NOTHING)),
    },
    { body: until('resourceClassPutIdempotent', RESOURCE_CLASS.schema) },
  )
  @ClientFunction('resourceClasses.create', { isRepeatable: true })
  @TakesJson({ until: 'resourceClassPutIdempotent' })
  @Policy('placement:resource_classes:update')
  @Audited('update', 'placement/resource_class', ['name'])
  async put(@Param('name') name: string, @Req() request: FastifyRequest, @Api() api: ApiVersion): Promise<Answer> {
    if (api.has('resourceClassPutIdempotent')) return this.ensure(creatableName('A resource class', name));
    const { name: newName } = RESOURCE_CLASS.check(parseJsonBody(request.body), api);
    request.berth.auditContext?.note({ requested: { name: newName } });
    const renamed = await this.resourceClasses.rename(name, newName);
    return ok(presentResourceClass(renamed, request.berth.mountPrefix));
  }

  @Delete(':name')
  @Operation('deleteResourceClass', 'Deletes a custom resource class.', NOTHING)
  @ClientFunction('resourceClasses.delete')
  @Policy('placement:resource_classes:delete')
  @Audited('delete', 'placement/resource_class')
  async delete(@Param('name') name: string): Promise<Answer> {
    await this.resourceClasses.delete(name);
    return noContent();
  }

  private async ensure(name: string): Promise<Answer> {
    const location = resourceClassPath(name);
    return (await this.resourceClasses.ensure(name)) === 'created' ? created(location) : noContent({ location });
  }
}
