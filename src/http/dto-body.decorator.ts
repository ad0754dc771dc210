// The body of our own documents, judged by a class-validator class: unknown fields are refused, every message names
// the field by its path.
import type { PipeTransform } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import type { FastifyRequest } from 'fastify';
import { FIELD_RULES, bodyFault } from '../domain/field-fault';
import { isJsonObject } from '../domain/json-object';
import { finish } from '../domain/walk';
import type { Walk } from '../domain/walk';
import { turns } from '../turns/turns';
import { refuseTooMuch, walkValues } from './document-bounds';
import { firstFault } from './document-fault';
import { judgedDocument, listsOf } from './dto-lists';
import { readJsonBody, refuseOtherTypes } from './json-body';
import { Received } from './route.decorators';
import { isStorable } from './schema-validator';
import { noted } from './schema.pipes';

export class DtoBodyPipe<T extends object> implements PipeTransform<FastifyRequest, T | Promise<T>> {
  /** `isSecret`: the audit log never sees it. */
  constructor(
    readonly type: ClassConstructor<T>,
    private readonly isSecret = false,
  ) {}

  transform(request: FastifyRequest): T | Promise<T> {
    refuseOtherTypes(request);
    const body = readJsonBody(request);
    if (!(body instanceof Promise)) return this.noted(finish(validBodyWalk(this.type, body)), request);
    return body
      .then((read) => turns.run(validBodyWalk(this.type, read), request.berth))
      .then((judged) => this.noted(judged, request));
  }

  private noted(judged: T, request: FastifyRequest): T {
    return this.isSecret ? judged : noted(judged, request);
  }
}

export const DtoBody = <T extends object>(type: ClassConstructor<T>): ParameterDecorator =>
  Received(new DtoBodyPipe(type));

/** The same of a body with secrets, of which nothing is noted for the audit log. */
export const SecretBody = <T extends object>(type: ClassConstructor<T>): ParameterDecorator =>
  Received(new DtoBodyPipe(type, true));

/** The body as it came, for whoever reads it elsewhere; it is said to be JSON, and nothing more is known. */
export const JsonBytes = (): ParameterDecorator =>
  Received({
    transform: (request: FastifyRequest) => {
      refuseOtherTypes(request);
      return request.body;
    },
  });

/**
 * The document as an instance of its class; throws InvalidInput naming the first field that is wrong. It is not measured,
 * so this is for what is small, and for threads of their own.
 */
export function validDocument<T extends object>(type: ClassConstructor<T>, plain: unknown): T {
  return finish(judgedWalk(type, documentOf(plain)));
}

/** The same of what a client sent, in turns, once it is known that no turn will be long. */
export function* validBodyWalk<T extends object>(type: ClassConstructor<T>, plain: unknown): Walk<T> {
  const document = documentOf(plain);
  yield* refuseTooMuch(document, new Map([...listsOf(type)].map(([name, { maxSize }]) => [name, maxSize])));
  return yield* judgedWalk(type, document);
}

function documentOf(plain: unknown): object {
  if (isJsonObject(plain)) return plain;
  throw bodyFault('', FIELD_RULES.type('object'));
}

function* judgedWalk<T extends object>(type: ClassConstructor<T>, plain: object): Walk<T> {
  yield* walkValues(plain, refuseInheritedName);
  const { instance, errors } = yield* judgedDocument(type, plain);
  const fault = firstFault(errors);
  if (fault !== undefined) throw bodyFault(fault.path.join('.'), fault.rule);
  yield* walkValues(plain, refuseUnstorable);
  return instance;
}

/** Text, keys included, that could not be stored as it is. */
function refuseUnstorable(key: string | number, value: unknown, pathOf: () => string): void {
  const isKeyStorable = typeof key === 'number' || isStorable(key);
  if (isKeyStorable && (typeof value !== 'string' || isStorable(value))) return;
  const path = pathOf();
  if (isKeyStorable) throw bodyFault(path, FIELD_RULES.text);
  throw bodyFault(path.slice(0, -key.length).replace(/\.$/, ''), 'has a key that is not valid text');
}

/** Names that every object has already would be lost on the way into a class; no document of ours has such a property. */
function refuseInheritedName(key: string | number, _value: unknown, pathOf: () => string): void {
  if (typeof key === 'number' || !(key in Object.prototype)) return;
  throw bodyFault(pathOf(), 'has a name that is not allowed');
}
