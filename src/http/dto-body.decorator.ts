// The body of our own documents, judged by a class-validator class: unknown fields are refused, every message names
// the field by its path.
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { finish } from '../domain/walk';
import type { Walk } from '../domain/walk';
import { InvalidInput } from '../errors/domain-errors';
import { turns } from '../turns/turns';
import { judgedDocument } from './dto-lists';
import { HttpRefusal } from './http-refusal';
import { readJsonBody } from './json-body';
import { isPart } from './long-json';
import { isStorable } from './schema-validator';

const JSON_TYPE = 'application/json';

export const DtoBody = createParamDecorator(
  <T extends object>(type: ClassConstructor<T>, context: ExecutionContext): T | Promise<T> => {
    const bytes = jsonBodyOf(context);
    const body = readJsonBody(bytes, context.switchToHttp().getRequest<FastifyRequest>().berth);
    if (!(body instanceof Promise)) return validDocument(type, body);
    const { berth } = context.switchToHttp().getRequest<FastifyRequest>();
    return body.then((read) => turns.run(validDocumentWalk(type, read), berth));
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
  return finish(validDocumentWalk(type, plain));
}

/** The same in turns, as far as lists make a document large. */
export function* validDocumentWalk<T extends object>(type: ClassConstructor<T>, plain: unknown): Walk<T> {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
    throw new InvalidInput('JSON does not validate: the document is not of type object.');
  }
  for (const [piece, path] of piecesOf(plain)) {
    refuseInheritedNames(piece, path);
    yield;
  }
  const { instance, errors } = yield* judgedDocument(type, plain);
  const found = errors.map((error) => firstMessage(error, '')).find((message) => message !== undefined);
  if (found !== undefined) throw new InvalidInput(`JSON does not validate: ${found}.`);
  for (const [piece, path] of piecesOf(plain)) {
    const unstorable = unstorableText(piece, path);
    if (unstorable !== undefined) throw new InvalidInput(`JSON does not validate: ${unstorable} is not valid text.`);
    yield;
  }
  return instance;
}

const ENTRIES_PER_PIECE = 100;

/** Small objects that have together what the document has, each with its path; entries of lists by their places. */
function* piecesOf(document: object): Generator<readonly [piece: object, path: string], void, undefined> {
  if (isPart(document)) {
    yield [document, ''];
    return;
  }
  for (const [name, inner] of Object.entries(document) as [string, unknown][]) {
    if (!Array.isArray(inner) || isPart(inner)) {
      yield [{ [name]: inner }, ''];
      continue;
    }
    yield [{ [name]: [] }, ''];
    for (let at = 0; at < inner.length; at += ENTRIES_PER_PIECE) {
      const entries = inner.slice(at, at + ENTRIES_PER_PIECE) as readonly unknown[];
      yield [Object.fromEntries(entries.map((entry, behind) => [at + behind, entry])), name];
    }
  }
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
