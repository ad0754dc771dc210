// Validates bodies and queries by the schema of the request's version. The pipes get the whole request, because they
// need the version, and stop long work when the client disconnects.
import type { PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { judgedBody } from './json-body';
import { QueryParams } from './query-params';
import { apiOf } from './request-context';
import type { SchemaValidator } from './schema-validator';

/** The JSON body. */
export class BodySchemaPipe<T> implements PipeTransform<FastifyRequest, T | Promise<T>> {
  constructor(readonly schema: SchemaValidator<T>) {}

  transform(request: FastifyRequest): T | Promise<T> {
    return judgedBody(request, (body) => noted(this.schema.check(body, apiOf(request)), request));
  }
}

/** Notes the requested document for the audit log. */
export function noted<T>(requested: T, { berth }: Pick<FastifyRequest, 'berth'>): T {
  berth.auditContext?.note({ requested });
  return requested;
}

/** The query string. */
export class QuerySchemaPipe implements PipeTransform<FastifyRequest, QueryParams> {
  constructor(readonly schema: SchemaValidator<Readonly<Record<string, string>>>) {}

  transform(request: FastifyRequest): QueryParams {
    const query = QueryParams.parse(request.berth.queryText);
    this.schema.check(query.lastValues(), apiOf(request));
    return query;
  }
}
