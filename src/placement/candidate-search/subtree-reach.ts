// The subtrees that `same_subtree` can still reach under one anchor, computed once: the possible tops of each constraint, and how
// each choice narrows them. Gives the same results as same-subtree.ts, for enumerations long enough to justify its
// cost.

import type { Task } from '../../platform/values/task';
import type { Choice, Slot } from './match-group';
import type { Provider } from './provider-graph';
import { isAncestorOrSelf } from './provider-graph';
import type { PreparedQuery } from './request-group';
import type { Work } from './work';

/** A provider that can be ancestor-or-self of all providers that a constraint binds. */
interface Top {
  readonly provider: Provider;
  /** The last of the bound slots that can choose it. */
  readonly lastChooser: number;
}

/** A top of all choices taken so far. */
interface OpenTop extends Top {
  readonly isTaken: boolean;
}

/** Slots of one constraint with the same list of choices. */
interface BoundKind {
  readonly choices: readonly Choice[];
  granular: number;
  last: number;
}

/** The providers at or below a provider that a constraint's slots can choose. */
interface Below {
  readonly perKind: number[];
  distinct: number;
  provider: Provider | null;
  lastChooser: number;
}

class Constraint {
  /** By depth. Null: no bound slot is taken, so every top is possible. */
  readonly open: (readonly OpenTop[] | null)[] = [null];

  constructor(
    readonly binds: readonly boolean[],
    readonly tops: ReadonlyMap<number, Top>,
  ) {}
}

export class SubtreeReach {
  private constructor(private readonly constraints: readonly Constraint[]) {}

  static *of(slots: readonly Slot[], query: PreparedQuery, work: Work): Task<SubtreeReach> {
    const constraints: Constraint[] = [];
    for (const suffixes of query.sameSubtree) {
      const binds = slots.map((slot) => suffixes.has(slot.group.suffix));
      const kinds = kindsOf(slots, binds);
      const tops = new Map<number, Top>();
      for (const [id, below] of yield* countBelow(kinds, work)) {
        const { provider, lastChooser } = below;
        if (provider === null || !hasAllKinds(below, kinds)) continue;
        if (!query.isIsolating || hasEnough(below, kinds)) tops.set(id, { provider, lastChooser });
      }
      constraints.push(new Constraint(binds, tops));
    }
    return new SubtreeReach(constraints);
  }

  /** False when a constraint has no possible top. */
  get isPossible(): boolean {
    return this.constraints.every(({ tops, binds }) => tops.size > 0 || !binds.includes(true));
  }

  /** Records that slot `at` takes `choice`, after all earlier records; false when a constraint can no longer be met. */
  take(at: number, choice: Choice): boolean {
    for (const constraint of this.constraints) {
      const before = constraint.open[at] ?? null;
      if (constraint.binds[at] !== true) {
        constraint.open[at + 1] = before;
        continue;
      }
      const open = narrowed(constraint, before, at, choice.provider);
      if (open.length === 0) return false;
      constraint.open[at + 1] = open;
    }
    return true;
  }

  /** The tops that each constraint has left before slot `at`. */
  *openBefore(at: number): Generator<readonly OpenTop[] | null> {
    for (const { open } of this.constraints) yield open[at] ?? null;
  }
}

function narrowed(
  { tops }: Constraint,
  before: readonly OpenTop[] | null,
  at: number,
  provider: Provider,
): readonly OpenTop[] {
  const open: OpenTop[] = [];
  const keep = (top: Top, wasTaken: boolean): void => {
    const isTaken = wasTaken || top.provider === provider;
    // A top that is not taken yet must be taken by a later slot.
    if (isTaken || top.lastChooser > at) {
      open.push({ provider: top.provider, lastChooser: top.lastChooser, isTaken });
    }
  };
  if (before !== null) {
    for (const top of before) if (isAncestorOrSelf(top.provider, provider)) keep(top, top.isTaken);
    return open;
  }
  for (const id of provider.path) {
    const top = tops.get(id);
    if (top !== undefined) keep(top, false);
  }
  return open;
}

function kindsOf(slots: readonly Slot[], binds: readonly boolean[]): readonly BoundKind[] {
  const kinds = new Map<readonly Choice[], BoundKind>();
  slots.forEach(({ choices, group }, at) => {
    if (binds[at] !== true) return;
    const kind = kinds.get(choices) ?? { choices, granular: 0, last: at };
    kinds.set(choices, kind);
    kind.last = at;
    if (!group.isUnsuffixed) kind.granular += 1;
  });
  return [...kinds.values()];
}

function* countBelow(kinds: readonly BoundKind[], work: Work): Task<ReadonlyMap<number, Below>> {
  const all = new Map<number, Below>();
  const providersRead = new Set<Provider>();
  for (const [kindAt, { choices, last }] of kinds.entries()) {
    for (const { provider } of choices) {
      const isNew = !providersRead.has(provider);
      if (isNew) providersRead.add(provider);
      for (const id of provider.path) {
        let below = all.get(id);
        if (below === undefined) {
          below = { perKind: kinds.map(() => 0), distinct: 0, provider: null, lastChooser: -1 };
          all.set(id, below);
          work.done += kinds.length;
        }
        below.perKind[kindAt] = (below.perKind[kindAt] ?? 0) + 1;
        if (isNew) below.distinct += 1;
        if (id !== provider.id) continue;
        below.provider = provider;
        below.lastChooser = Math.max(below.lastChooser, last);
      }
      work.done += provider.path.length;
      if (work.takesPause()) yield;
    }
  }
  return all;
}

const hasAllKinds = ({ perKind }: Below, kinds: readonly BoundKind[]): boolean =>
  kinds.every((_, at) => (perKind[at] ?? 0) > 0);

/** Isolated groups need one provider each. */
function hasEnough({ perKind, distinct }: Below, kinds: readonly BoundKind[]): boolean {
  const granular = kinds.reduce((sum, kind) => sum + kind.granular, 0);
  return distinct >= granular && kinds.every((kind, at) => (perKind[at] ?? 0) >= kind.granular);
}
