// The kept hosts of a request class, as one decision sees them.

import type { HostState } from '../../scheduling-rules/host-state/host-state';
import { Asking } from '../../scheduling-rules/pipeline/asking';
import type { ClassColumns } from '../../scheduling-rules/pipeline/class-columns';
import type { Selection } from '../../scheduling-rules/pipeline/class-weights';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { BatchPass } from '../claim/batch-pass';
import type { BatchProgress } from '../claim/batch-progress';
import type { DecisionRun } from '../decide/decision-run';

/** The kept hosts do not answer: the decision is made from nothing. */
export class AskedFromNothing extends Error {}

export class ClassView {
  /** Null: the next pass is the first one. */
  private charged: HostState | null = null;

  constructor(
    private readonly run: DecisionRun,
    /** Of a batch: a copy. */
    private readonly columns: ClassColumns,
    /** The request without its server group. */
    private readonly plain: RequestSpec,
  ) {}

  get found(): ClassColumns['found'] {
    return this.columns.found;
  }

  /** Same as `runPass`; throws AskedFromNothing if no host passes. */
  pass(progress: BatchProgress, index: number): BatchPass {
    const { pipeline, command } = this.run;
    const spec = progress.specOf(index);
    const asking = askingOf(this.run, spec, index);
    if (this.charged !== null) this.columns.advance(this.charged, asking);
    this.charged = null;
    const { random } = progress;
    const alternates = command.returnAlternates === true ? pipeline.options.maxAttempts - 1 : 0;
    const pass = this.passFor(asking, { ...pipeline.options, random, alternates });
    if (pass === null) throw new AskedFromNothing();
    const { preselection, ranked, ...answer } = pass;
    return { index, spec, stages: [preselection, ...answer.stages], answer, ranked };
  }

  /** With the members of the server group, which stay in the copy of a batch. */
  private passFor(asking: Asking, selection: Selection): ReturnType<ClassColumns['pass']> {
    const { index, spec } = asking.question;
    const members = index === 0 ? this.columns.askMembers(asking) : [];
    try {
      return this.columns.pass(asking, selection);
    } finally {
      if (spec.instanceUuids.length === 1) this.columns.askAgain(members, askingOf(this.run, this.plain, index));
    }
  }

  /** The host of an instance of the batch, charged for it. */
  charge(state: HostState): void {
    this.charged = state;
  }
}

export function askingOf({ pipeline, env }: DecisionRun, spec: RequestSpec, index: number): Asking {
  const { filters, weighers } = pipeline.parts;
  return new Asking({ spec, filters, weighers, env, index });
}
