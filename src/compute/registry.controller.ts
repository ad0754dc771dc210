// The routes that every registry has. A controller extends the generated class and adds its own routes.
import type { Type } from '@nestjs/common';
import { Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import type { Answer } from '../platform/http/answer';
import { created, noContent, ok, pathOf } from '../platform/http/answer';
import { DtoBody } from '../platform/http/dto-body.decorator';
import { ClientFunction, json, located, NOTHING, Operation } from '../platform/http/operation.decorator';
import type { RequestContext } from '../platform/http/request-context';
import { Audited, Context, Policy } from '../platform/http/route.decorators';
import type { SchemaNode } from '../platform/microversion/versioned-schema';
import type { AuditContext } from '../platform/values/audit-context';
import type { Registered } from './registered.entity';
import type { Registry, Written } from './registry';
import type { ListQuery } from './registry-page';
import { listQueryOf, presentPage, refuseQuery } from './registry-page';
import { nameInPath, uuidInPath } from './registry-path';
import { invalidField } from './registry-refusals';
import type { RegisteredDocument } from './registry.responses';
import { pageParameters, pageSchemaOf } from './registry.responses';

/** The key of a document: a text that its owner chose, or a uuid. `ofNewPath` is stricter, for routes that create. */
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

interface RegistryRoutes<E extends Registered, D extends object, F, K, B, P> {
  /** The service of the registry, whose types the routes have. */
  readonly service: Type<Registry<E, D, F>>;
  /** The name of the registry in paths, policies and lists. */
  readonly collection: 'flavors' | 'images' | 'server_groups' | 'host_aggregates';
  readonly document: RegisteredDocument<E>;
  readonly key: K;
  /** The body of POST and PUT. */
  readonly definition: Type<B>;
  /** The body of PATCH. */
  readonly patch: Type<P>;
  /** Fields that the audit log shows. */
  readonly audited: readonly string[];
  /** Filters of the list: schemas by name. */
  readonly filters: SchemaNode;
}

export function registryController<
  E extends Registered & Readonly<Record<K, string>>,
  D extends object,
  F,
  B extends DefinitionBody,
  P extends object,
  K extends keyof typeof KEYS,
>(routes: RegistryRoutes<E, D, F, K, B, P>) {
  const { collection, key } = routes;
  const functions = collection.replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase());
  const { ofPath, ofNewPath, ofBody } = KEYS[key];
  const policy = (action: 'list' | 'create' | 'show' | 'update' | 'delete'): MethodDecorator =>
    Policy(`berth:scheduler:${collection}:${action}`);
  const client = (name: 'list' | 'create' | 'get' | 'put' | 'change' | 'delete'): MethodDecorator =>
    ClientFunction(`${functions}.${name}`);
  const many = functions.charAt(0).toUpperCase() + functions.slice(1);
  const things = collection.replaceAll('_', ' ');
  const [one, thing, target] = [many.slice(0, -1), things.slice(0, -1), `scheduler/${collection.slice(0, -1)}`];
  const aThing = `${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}`;
  const { shown, written: writtenSchema, present } = routes.document;
  const ofWrite = { 200: json(writtenSchema), 201: located(json(writtenSchema)) };

  abstract class RegistryController {
    abstract readonly registry: Registry<E, D, F>;
    abstract filterOf(query: ListQuery): F;
    abstract definitionOf(body: B): D;
    abstract changed(name: string, body: P): Promise<Written<E>>;

    @Get()
    @Operation(`list${many}`, `Lists ${things}.`, json(pageSchemaOf(many, collection, shown)), {
      query: pageParameters(routes.filters),
    })
    @client('list')
    @policy('list')
    async list(@Context() { queryText }: RequestContext): Promise<Answer> {
      const query = listQueryOf(queryText, Object.keys(routes.filters));
      const page = await this.registry.list(this.filterOf(query), query);
      return ok(presentPage(collection, page, present));
    }

    @Post()
    @Operation(`create${one}`, `Creates ${aThing}.`, { 201: located(json(writtenSchema)) })
    @client('create')
    @policy('create')
    @Audited('create', target, routes.audited)
    async create(
      @DtoBody(routes.definition) body: B,
      @Context() { queryText, auditContext }: RequestContext,
    ): Promise<Answer> {
      refuseQuery(queryText);
      return this.answerOf(await this.registry.create(this.definitionOf(body), ofBody(body)), auditContext);
    }

    @Get(`:${key}`)
    @Operation(`show${one}`, `Shows ${aThing}.`, json(shown))
    @client('get')
    @policy('show')
    async show(@Param(key) name: string, @Context() { queryText }: RequestContext): Promise<Answer> {
      refuseQuery(queryText);
      return ok(present(await this.registry.get(ofPath(name))));
    }

    @Put(`:${key}`)
    @Operation(`replace${one}`, `Replaces ${aThing} of the generation that the body names, or creates it.`, ofWrite)
    @client('put')
    @policy('update')
    @Audited('update', target, routes.audited)
    async put(
      @Param(key) text: string,
      @DtoBody(routes.definition) body: B,
      @Context() { queryText, auditContext }: RequestContext,
    ): Promise<Answer> {
      refuseQuery(queryText);
      const name = ofNewPath(text);
      if ((ofBody(body) ?? name) !== name) throw invalidField(key, 'is not the one of the path');
      return this.answerOf(await this.registry.put(name, this.definitionOf(body), body.generation), auditContext);
    }

    @Patch(`:${key}`)
    @Operation(`update${one}`, `Changes what the body names of ${aThing}.`, json(writtenSchema))
    @client('change')
    @policy('update')
    @Audited('update', target, routes.audited)
    async change(
      @Param(key) name: string,
      @DtoBody(routes.patch) body: P,
      @Context() { queryText, auditContext }: RequestContext,
    ): Promise<Answer> {
      refuseQuery(queryText);
      return this.answerOf(await this.changed(ofPath(name), body), auditContext);
    }

    @Delete(`:${key}`)
    @Operation(`delete${one}`, `Deletes ${aThing} that nothing needs.`, NOTHING)
    @client('delete')
    @policy('delete')
    @Audited('delete', target)
    async remove(@Param(key) name: string, @Context() { queryText }: RequestContext): Promise<Answer> {
      refuseQuery(queryText);
      await this.registry.remove(ofPath(name));
      return noContent();
    }

    /** Responds 201 with the Location of a new document, otherwise 200; the body is the document with its warnings. */
    answerOf(written: Written<E>, auditContext: AuditContext | undefined): Answer {
      this.noteAudit(written, auditContext);
      const { isNew, document, warnings } = written;
      const shown = { ...present(document), warnings };
      return isNew ? created(pathOf('scheduler', collection, document[key]), shown) : ok(shown);
    }

    noteAudit({ before, document }: Written<E>, auditContext: AuditContext | undefined): void {
      auditContext?.note({ before: before && present(before), after: present(document) });
    }
  }
  return RegistryController;
}
