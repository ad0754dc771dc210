// What a route is called and what it answers, for the API document: declared where the route is, from schemas that stand
// beside its presenters. Everything else the document reads from what the guard and the pipes carry out.
import { HttpCode, SetMetadata, applyDecorators } from '@nestjs/common';
import type { SchemaNode } from '../microversion/versioned-schema';

export const OPERATION = 'berth:operation';
export const CLIENT_FUNCTION = 'berth:client-function';

export interface ClientFunctionRule {
  /** As users of the client call it: `providers.traits.list`. */
  readonly name: string;
  /** Sent again after a lost answer, although it writes. */
  readonly isRepeatable?: true;
  /** In `client/src/hand-written.ts`, under the name of the operation. */
  readonly isHandWritten?: true;
}

/** The function of the client that calls the route; `npm run docs` writes it. */
export const ClientFunction = (name: string, extra: Omit<ClientFunctionRule, 'name'> = {}): MethodDecorator =>
  SetMetadata(CLIENT_FUNCTION, { name, ...extra } satisfies ClientFunctionRule);

export interface OperationRule {
  /** Stable, lowerCamel: generated clients name their functions by it. */
  readonly id: string;
  /** One sentence. */
  readonly summary: string;
  /** By status of success; annotated where that depends on the version. */
  readonly answers: SchemaNode;
  /** Query parameters, where no schema judges them: their schemas by name. */
  readonly query?: SchemaNode;
  /** The body, where no pipe judges it: a class, or an annotated schema. */
  readonly body?: object;
  /** Media types of the body, where it is not plain JSON. */
  readonly bodyTypes?: readonly string[];
  /** Headers that the route cannot do without, by name: what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * `answer`: by status, or one alone, which has status 200, or 204 if it has no body. A plain document is answered with the
 * first status that is declared; an `Answer` has its own.
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

/** The answer names the place of what it is about, in `Location`. */
export const located = (answer: SchemaNode): SchemaNode => ({ ...answer, hasLocation: true });

/** An answer that is text of one of these media types. */
export const textAnswer = (...contentTypes: readonly string[]): SchemaNode => ({ contentTypes });
