// Controllers of routes with a fixed answer: lists that are always empty, and the few that have one entry. Clients ask for
// them before or after something else.
import type { Type } from '@nestjs/common';
import { Get, Inject, Param } from '@nestjs/common';
import type { PolicyRuleName } from '../platform/auth/policy-rules';
import { ANYTHING } from '../platform/http/answer-schemas';
import { json, Operation } from '../platform/http/operation.decorator';
import { Policy } from '../platform/http/route.decorators';
import { closed } from '../platform/microversion/versioned-schema';
import { FacadeController } from './facade.decorators';

/** `request` is what the decorator `requested` of the table yields, `source` the instance of its `source`. */
export interface Asked<R, S> {
  readonly params: Readonly<Record<string, string>>;
  readonly request: R;
  readonly source: S;
}

/** A route: `GET path` answers with the only member `member`, an empty list unless `valueOf` computes its value. */
type FixedRow<R, S> = readonly [
  path: string,
  operation: string,
  rule: PolicyRuleName,
  member: string,
  valueOf?: (asked: Asked<R, S>) => unknown,
];

interface Table<R, S> {
  readonly prefix: string;
  readonly requested: () => ParameterDecorator;
  /** A provider. */
  readonly source?: Type<S>;
  readonly rows: readonly FixedRow<R, S>[];
}

export function fixedAnswers<R, S = undefined>({ prefix, requested, source, rows }: Table<R, S>): Type<object> {
  class FixedAnswersController {
    constructor(readonly source: S) {}
  }
  const { prototype } = FixedAnswersController;
  for (const [path, operation, rule, member, valueOf = () => []] of rows) {
    const value = async function (
      this: FixedAnswersController,
      params: Asked<R, S>['params'],
      request: R,
    ): Promise<object> {
      return { [member]: await valueOf({ params, request, source: this.source }) };
    };
    Object.defineProperty(prototype, operation, { value });
    const descriptor = { value };
    const schema = json(closed({ [member]: ANYTHING }));
    for (const decorate of [Get(path), Operation(operation, `Shows ${member}.`, schema), Policy(rule)]) {
      decorate(prototype, operation, descriptor);
    }
    Param()(prototype, operation, 0);
    requested()(prototype, operation, 1);
  }
  if (source !== undefined) Inject(source)(FixedAnswersController, undefined, 0);
  else Reflect.defineMetadata('design:paramtypes', [], FixedAnswersController);
  FacadeController(prefix)(FixedAnswersController);
  return FixedAnswersController;
}
