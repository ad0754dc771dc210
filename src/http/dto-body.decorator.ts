// The body of our own documents, judged by a class-validator class: unknown fields are refused, every message names
// the field by its path.
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import type { ClassConstructor } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { ValidationError } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { InvalidInput } from '../errors/domain-errors';
import { HttpRefusal } from './http-refusal';
import { readJsonBody } from './json-body';
import { isStorable } from './schema-validator';

const JSON_TYPE = 'application/json';

export const DtoBody = createParamDecorator(
  <T extends object>(type: ClassConstructor<T>, context: ExecutionContext): T | Promise<T> => {
    const bytes = jsonBodyOf(context);
    const body = readJsonBody(bytes, context.switchToHttp().getRequest<FastifyRequest>().berth);
    return body instanceof Promise ? body.then((read) => validDocument(type, read)) : validDocument(type, body);
  },
);

/** The body as it came, for whoever reads it elsewhere; it is said to be JSON, and nothing more is known. */
export const JsonBytes = createParamDecorator((_: unknown, context: ExecutionContext): unknown => jsonBodyOf(context));

function jsonBodyOf(context: ExecutionContext): unknown {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  if (request.berth.mediaType === JSON_TYPE) return request.body;
  const given = request.berth.mediaType ?? 'None';
  throw new HttpRefusal({ status: 415, detail: `The media type ${given} is not supported, use ${JSON_TYPE}` });
}

/** The document as an instance of its class; throws InvalidInput naming the first field that is wrong. */
export function validDocument<T extends object>(type: ClassConstructor<T>, plain: unknown): T {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
    throw new InvalidInput('JSON does not validate: the document is not of type object.');
  }
  refuseInheritedNames(plain, '');
  const instance = plainToInstance(type, plain);
  const errors = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true });
  const found = errors.map((error) => firstMessage(error, '')).find((message) => message !== undefined);
  if (found !== undefined) throw new InvalidInput(`JSON does not validate: ${found}.`);
  const unstorable = unstorableText(plain, '');
  if (unstorable !== undefined) throw new InvalidInput(`JSON does not validate: ${unstorable} is not valid text.`);
  return instance;
}

/** Path of the first text, keys included, that could not be stored as it is. Documents are shallow (json-body.ts). */
function unstorableText(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    const found = isStorable(key) ? unstorableText(inner, here) : `a key of ${path === '' ? 'the document' : path}`;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names that every object has already would be lost on the way into a class; no document of ours has such a property. */
function refuseInheritedNames(value: object, path: string): void {
  for (const [name, inner] of Object.entries(value)) {
    const here = path === '' ? name : `${path}.${name}`;
    if (name in Object.prototype) throw new InvalidInput(`JSON does not validate: ${here}: this name is not allowed.`);
    if (typeof inner === 'object' && inner !== null) refuseInheritedNames(inner as object, here);
  }
}

function firstMessage(error: ValidationError, path: string): string | undefined {
  const here = path === '' ? error.property : `${path}.${error.property}`;
  const message = messageOf(error);
  if (message !== undefined) return `${here}: ${message}`;
  return error.children?.map((child) => firstMessage(child, here)).find((text) => text !== undefined);
}

/** What is not there breaks every rule of its field; of a field's rules the one written first speaks, registered last. */
function messageOf({ property, value, constraints }: ValidationError): string | undefined {
  const message = Object.values(constraints ?? {}).at(-1);
  return message !== undefined && value === undefined ? `${property} must be given` : message;
}
