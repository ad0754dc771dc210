// Validates bodies of the scheduler's documents by a class of class-validator: unknown fields are refused, every
// message names the field by its path. Compiled schemas validate lists and maps that can be long (dto-rules.ts),
// because class-validator takes 100 ms for 300 kB.
import type { PipeTransform } from '@nestjs/common';
import { ValidationPipe } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import * as transformerPackage from 'class-transformer';
import * as validatorPackage from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { HTTP_LIMITS } from '../config/limits/http';
import { DomainError } from '../values/errors';
import { bodyFault, FIELD_RULES } from '../values/field-fault';
import type { JsonObject } from '../values/json-object';
import { isJsonObject } from '../values/json-object';
import { MAX_NAME_LENGTH } from '../values/names';
import type { DocumentFault } from './document-fault';
import { firstFault } from './document-fault';
import { compiledRulesOf, JUDGED } from './dto-rules';
import { judgedBody, refuseOtherTypes } from './json-body';
import { Received } from './route.decorators';
import { isStorable } from './schema-validator';
import { noted } from './schema.pipes';

export class DtoBodyPipe<T extends object> implements PipeTransform<FastifyRequest, Promise<T>> {
  /** `isSecret`: the body is never written to the audit log. */
  constructor(
    readonly type: ClassConstructor<T>,
    private readonly isSecret = false,
  ) {}

  async transform(request: FastifyRequest): Promise<T> {
    refuseOtherTypes(request);
    const document = await judgedBody(request, (body) => validDocument(this.type, body, HTTP_LIMITS.documentBytes));
    return this.isSecret ? document : noted(document, request);
  }
}

export const DtoBody = <T extends object>(type: ClassConstructor<T>): ParameterDecorator =>
  Received(new DtoBodyPipe(type));

/** A body with secrets, which the audit log never gets. */
export const SecretBody = <T extends object>(type: ClassConstructor<T>): ParameterDecorator =>
  Received(new DtoBodyPipe(type, true));

/** The unparsed bytes of a JSON body, for a handler that parses them itself. */
export const JsonBytes = (): ParameterDecorator =>
  Received({
    transform: (request: FastifyRequest) => {
      refuseOtherTypes(request);
      return request.body;
    },
  });

class DocumentPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      validationError: { target: true, value: true },
      exceptionFactory: (errors) => faultError(firstFault(errors) ?? { path: [], rule: 'is not valid' }),
      validatorPackage,
      transformerPackage,
    });
  }

  /** Documents with such keys are refused earlier. */
  protected override stripProtoKeys(): void {}
}

const pipe = new DocumentPipe();

/**
 * The document as an instance of its class; throws InvalidInput with the name of an invalid field. `bytesMax` limits
 * the part that class-validator checks: all fields without compiled rules, except long texts.
 */
export async function validDocument<T extends object>(
  type: ClassConstructor<T>,
  plain: unknown,
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<T> {
  if (!isJsonObject(plain)) throw bodyFault('', FIELD_RULES.type('object'));
  const unsafe = unsafeIn(plain);
  if (unsafe !== undefined) throw faultError(unsafe);
  const rest: Record<string, unknown> = { ...plain };
  const judged: Record<string, unknown> = {};
  for (const [name, rule] of compiledRulesOf(type)) {
    const value = plain[name];
    if (typeof value !== 'object' || value === null) continue;
    const fault = rule.faultIn(value);
    if (fault !== undefined) throw faultError({ path: [name, ...fault.path], rule: fault.rule });
    rest[name] = JUDGED;
    judged[name] = rule.read(value);
  }
  if (JSON.stringify(rest, withoutLongTexts).length > bytesMax) throw tooLarge(Object.keys(judged), bytesMax);
  const document = (await pipe.transform(rest, { type: 'body', metatype: type })) as T;
  return Object.assign(document, judged);
}

const faultError = ({ path, rule }: DocumentFault): Error => bodyFault(path.join('.'), rule);

/** The cost of class-validator depends on the number of fields and values. */
const withoutLongTexts = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_NAME_LENGTH ? '' : value;

const tooLarge = (others: readonly string[], bytesMax: number): DomainError =>
  new DomainError(
    'too_large',
    `The document is larger than ${bytesMax} bytes, not counting ` +
      `${[...others, `texts of more than ${MAX_NAME_LENGTH} characters`].join(', ')}.`,
  );

/** The first key that class-transformer would drop, or text that cannot be stored unchanged. */
function unsafeIn(value: unknown): DocumentFault | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { path: [], rule: FIELD_RULES.text };
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const key in value) {
    if (!isList && key in Object.prototype) return { path: [key], rule: 'has a name that is not allowed' };
    if (!isList && !isStorable(key)) return { path: [], rule: 'has a key that is not valid text' };
    const fault = unsafeIn((value as JsonObject)[key]);
    if (fault !== undefined) return { path: [key, ...fault.path], rule: fault.rule };
  }
  return undefined;
}
