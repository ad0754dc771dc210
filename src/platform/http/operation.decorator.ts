// Name and answers of a route for the API document, declared at the route with schemas from its presenters. All other
// facts in the document come from the guard and the pipes.
import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { SchemaNode } from '../microversion/versioned-schema';

export const OPERATION = 'berth:operation';
export const CLIENT_FUNCTION = 'berth:client-function';

export interface ClientFunctionRule {
  /** The path for users of the client, for example `providers.traits.list`. */
  readonly name: string;
  /** A write that the client can repeat after a lost answer. */
  readonly isRepeatable?: true;
  /** In `client/src/hand-written.ts`, under the operation's name. */
  readonly isHandWritten?: true;
}

/** The client function that calls the route; `npm run docs` generates it. */
export const ClientFunction = (name: string, extra: Omit<ClientFunctionRule, 'name'> = {}): MethodDecorator =>
  SetMetadata(CLIENT_FUNCTION, { name, ...extra } satisfies ClientFunctionRule);

export interface OperationRule {
  /** Stable, lower camel case: generated clients use it as function name. */
  readonly id: string;
  /** One sentence. */
  readonly summary: string;
  /** By status of success; annotated if they depend on the version. */
  readonly answers: SchemaNode;
  /** Schemas of query parameters by name, if no schema validates them. */
  readonly query?: SchemaNode;
  /** The body if no pipe validates it: a class, or an annotated schema. */
  readonly body?: object;
  /** Media types of the body, if it is not plain JSON. */
  readonly bodyTypes?: readonly string[];
  /** Required headers by name, with a description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * `answer`: answers by status, or a single one with status 200, or 204 without a body. A plain document gets the first
 * declared status; an `Answer` has its own.
 */
export function Operation(
  id: string,
  summary: string,
  answer: SchemaNode,
  rule: Omit<OperationRule, 'id' | 'summary' | 'answers'> = {},
): MethodDecorator {
  const isByStatus = answer !== NOTHING && Object.keys(answer).every((key) => /^\d/.test(key));
  const answers = isByStatus ? answer : { [answer === NOTHING ? 204 : 200]: answer };
  const declared = SetMetadata(OPERATION, { id, summary, answers, ...rule } satisfies OperationRule);
  const [status] = Object.keys(answers);
  return status === undefined ? declared : applyDecorators(declared, HttpCode(Number(status)));
}

/** An answer with this JSON document. */
export const json = (schema: SchemaNode): SchemaNode => ({ schema });

/** An answer without a body. */
export const NOTHING: SchemaNode = {};

/** Adds a `Location` header to the answer. */
export const located = (answer: SchemaNode): SchemaNode => ({ ...answer, hasLocation: true });

/** A text answer with one of these media types. */
export const textAnswer = (...contentTypes: readonly string[]): SchemaNode => ({ contentTypes });
