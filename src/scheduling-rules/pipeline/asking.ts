// Asks the filters and weighers of one question about single hosts, for those who keep the answers.

import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request-spec/request-spec';
import type { BoundFilter, BoundWeigher } from './bind';
import type { FilterEnvironment } from './define-filter';
import { forever } from './define-filter';
import { HostJudge } from './run-filters';
import type { KindTerms } from './run-weighers';
import { termsOfKind, weighInto } from './run-weighers';

/** What a decision asks. All questions of a class have the same rules, and the same values of what these read. */
export interface Question {
  readonly spec: RequestSpec;
  readonly filters: readonly BoundFilter[];
  readonly weighers: readonly BoundWeigher[];
  readonly env: FilterEnvironment;
  /** Position of the instance in its batch. */
  readonly index: number;
}

/** Hosts in the same host aggregates and cell. */
export interface Kind {
  readonly aggregates: HostState['aggregates'];
  readonly cell: string | null;
  /** Of each weigher. */
  readonly terms: readonly KindTerms[];
}

/** Asks the rules of one question about single hosts. */
export class Asking {
  readonly judge: HostJudge;
  private readonly isWeighed: readonly boolean[];

  constructor(readonly question: Question) {
    const { filters, spec, index, env, weighers } = question;
    this.judge = new HostJudge({ filters, spec, index, env });
    this.isWeighed = weighers.map(({ part, values }) => part.applies(spec, values));
  }

  kindOf(state: HostState): Kind {
    const { weighers, env } = this.question;
    return { aggregates: state.aggregates, cell: state.cell, terms: termsOfKind(weighers, state, env) };
  }

  /** Writes the raw value of each weigher; a failure is NaN, and `failed` gets its cause. */
  weigh(state: HostState, raws: Float64Array, failed: (weigher: number, cause: string) => void): void {
    const { weighers, spec, env } = this.question;
    const terms = termsOfKind(weighers, state, env);
    for (const [weigher, { part }] of weighers.entries()) {
      raws[weigher] = 0;
      const { context, error } = terms[weigher] as KindTerms;
      const isWeighed = this.isWeighed[weigher] === true;
      const cause = error ?? (isWeighed ? weighInto(raws, weigher, part, state, spec, context) : null);
      if (cause === null) continue;
      raws[weigher] = Number.NaN;
      failed(weigher, cause);
    }
  }

  readsTime(filter: number): boolean {
    return this.question.filters[filter]?.part.validUntil !== forever;
  }

  validUntil(state: HostState): number {
    const { weighers, env } = this.question;
    let until = this.judge.validUntil(state);
    for (const [weigher, { part }] of weighers.entries()) {
      if (part.validUntil === forever || this.isWeighed[weigher] !== true) continue;
      const { options } = (termsOfKind(weighers, state, env)[weigher] as KindTerms).context;
      until = Math.min(until, part.validUntil(state, { options, nowMs: env.nowMs }));
    }
    return until;
  }
}
