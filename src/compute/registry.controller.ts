// The routes that every registry has. A controller extends what this makes for it, and adds its own.
import { Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import type { AuditTrail } from '../domain/audit-trail';
import { noContent, ok } from '../http/answer';
import type { Answer } from '../http/answer';
import { DtoBody } from '../http/dto-body.decorator';
import type { RequestContext } from '../http/request-context';
import { Context, Policy } from '../http/route.decorators';
import type { Warning } from './definition-rules';
import type { Registered } from './registered.entity';
import type { Registry, Written } from './registry';
import { written } from './registry-answer';
import { listQueryOf, presentPage, refuseQuery } from './registry-page';
import type { ListQuery } from './registry-page';
import { nameInPath, uuidInPath } from './registry-path';
import { invalidField } from './registry-refusals';

/** What names a document: some text that its owner chose, or a uuid. `ofNewPath` is stricter where anything is made. */
const KEYS = {
  id: {
    ofPath: (text: string): string => text,
    ofNewPath: (text: string): string => nameInPath('id', text),
    ofBody: ({ id }: DefinitionBody): string | undefined => id,
  },
  uuid: {
    ofPath: (text: string): string => uuidInPath('uuid', text),
    ofNewPath: (text: string): string => uuidInPath('uuid', text),
    ofBody: ({ uuid }: DefinitionBody): string | undefined => uuid,
  },
} as const;

interface DefinitionBody {
  readonly id?: string;
  readonly uuid?: string;
  readonly generation?: number;
}

interface RegistryRoutes<E, B, P> {
  /** Its name in paths, policies and lists. */
  readonly collection: 'flavors' | 'images' | 'server_groups' | 'host_aggregates';
  readonly key: keyof typeof KEYS;
  /** The body of POST and PUT. */
  readonly definition: Type<B>;
  /** The body of PATCH. */
  readonly patch: Type<P>;
  /** What a list can be narrowed by. */
  readonly filters: readonly string[];
  readonly keyOf: (document: E) => string;
  readonly present: (document: E, warnings?: readonly Warning[]) => object;
}

export function registryController<
  E extends Registered,
  D extends object,
  F,
  B extends DefinitionBody,
  P extends object,
>(routes: RegistryRoutes<E, B, P>) {
  const { collection, key, present } = routes;
  const { ofPath, ofNewPath, ofBody } = KEYS[key];
  const policy = (action: 'list' | 'create' | 'show' | 'update' | 'delete'): MethodDecorator =>
    Policy(`berth:scheduler:${collection}:${action}`);

  abstract class RegistryController {
    abstract readonly registry: Registry<E, D, F>;
    abstract filterOf(query: ListQuery): F;
    abstract definitionOf(body: B): D;
    abstract changed(name: string, body: P): Promise<Written<E>>;

    @Get()
    @policy('list')
    async list(@Context() { queryText }: RequestContext): Promise<Answer> {
      const query = listQueryOf(queryText, routes.filters);
      const page = await this.registry.list(this.filterOf(query), query);
      return ok(presentPage(collection, page, (document) => present(document)));
    }

    @Post()
    @policy('create')
    async create(
      @DtoBody(routes.definition) body: B,
      @Context() { queryText, trail }: RequestContext,
    ): Promise<Answer> {
      refuseQuery(queryText);
      return this.answerOf(await this.registry.create(this.definitionOf(body), ofBody(body)), trail);
    }

    @Get(`:${key}`)
    @policy('show')
    async show(@Param(key) name: string, @Context() { queryText }: RequestContext): Promise<Answer> {
      refuseQuery(queryText);
      return ok(present(await this.registry.get(ofPath(name))));
    }

    @Put(`:${key}`)
    @policy('update')
    async put(
      @Param(key) text: string,
      @DtoBody(routes.definition) body: B,
      @Context() { queryText, trail }: RequestContext,
    ): Promise<Answer> {
      refuseQuery(queryText);
      const name = ofNewPath(text);
      if ((ofBody(body) ?? name) !== name) throw invalidField(key, 'is not the one of the path');
      return this.answerOf(await this.registry.put(name, this.definitionOf(body), body.generation), trail);
    }

    @Patch(`:${key}`)
    @policy('update')
    async change(
      @Param(key) name: string,
      @DtoBody(routes.patch) body: P,
      @Context() { queryText, trail }: RequestContext,
    ): Promise<Answer> {
      refuseQuery(queryText);
      return this.answerOf(await this.changed(ofPath(name), body), trail);
    }

    @Delete(`:${key}`)
    @policy('delete')
    async remove(@Param(key) name: string, @Context() { queryText }: RequestContext): Promise<Answer> {
      refuseQuery(queryText);
      await this.registry.remove(ofPath(name));
      return noContent();
    }

    answerOf(document: Written<E>, trail: AuditTrail | undefined): Answer {
      this.tell(document, trail);
      return written(document, (each) => [collection, routes.keyOf(each)], present);
    }

    tell({ before, document }: Written<E>, trail: AuditTrail | undefined): void {
      trail?.note({ before: before && present(before), after: present(document) });
    }
  }
  return RegistryController;
}
