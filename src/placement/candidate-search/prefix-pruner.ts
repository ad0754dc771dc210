// Prunes prefixes of choices in enumerations that find nothing: with bounds that refute a prefix at once, and with a
// cache of failed prefixes. The cache key describes the state that a prefix leaves to the remaining slots, with
// equivalent providers interchangeable, so a failed prefix is not tried again in another order or place.

import type { Task } from '../../platform/values/task';
import { Assignment } from './assignment';
import { CapacityBounds } from './capacity-bounds';
import type { Choice, Slot } from './match-group';
import { equivalenceOf } from './provider-equivalence';
import type { Provider } from './provider-graph';
import type { PreparedQuery } from './request-group';
import { MASKED_SETS_MAX, maskOfSets } from './request-group';
import { SubtreeReach } from './subtree-reach';
import type { Work } from './work';

/** `refused`: the prefix failed before, or no completion keeps all rules. */
type PrefixVerdict = 'open' | 'refused' | 'paused';

/** Cost of recording one provider of a prefix, in comparison steps. */
const STEPS_PER_NAME = 8;

export class PrefixPruner {
  private readonly failed = new Set<string>();
  /** Cache key of the current prefix of each length; undefined if it is not judged. */
  private readonly keys: (string | undefined)[] = [];
  /** Checks of the current judgement that are not finished. */
  private checks: Assignment[] | null = null;

  private constructor(
    private readonly slots: readonly Slot[],
    private readonly query: PreparedQuery,
    private readonly work: Work,
    private readonly bounds: readonly CapacityBounds[],
    readonly reach: SubtreeReach,
    private readonly equivalence: ReadonlyMap<Provider, number>,
  ) {}

  /** Pauses: dozens of slots that choose among thousands of providers of one tree take long. */
  static *of(slots: readonly Slot[], query: PreparedQuery, work: Work): Task<PrefixPruner> {
    const bounds: CapacityBounds[] = [];
    for (const resourceClass of [...query.contendedClasses].sort()) {
      bounds.push(yield* CapacityBounds.of(slots, resourceClass, work));
    }
    const reach = yield* SubtreeReach.of(slots, query, work);
    return new PrefixPruner(slots, query, work, bounds, reach, yield* equivalenceOf(slots, bounds, query, work));
  }

  /** A judgement was interrupted by a pause. */
  get isBusy(): boolean {
    return this.checks !== null;
  }

  /** False if the mask is full: the query can then have further trait sets, which a key would not contain. */
  private get canRemember(): boolean {
    return this.query.collectiveTraitMask !== maskOfSets(MASKED_SETS_MAX);
  }

  /** Judges the prefix of the first `depth` choices. After `paused`, call it again to resume. */
  judge(depth: number, chosen: readonly Choice[], met: number): PrefixVerdict {
    if (this.checks === null) {
      this.keys[depth] = undefined;
      this.work.done += 4 * (depth + 1);
      if (depth === 0 && !this.reach.isPossible) return 'refused';
      const left = this.bounds.map((each) => this.leftOf(each, depth, chosen));
      for (const [at, each] of this.bounds.entries()) {
        if (each.isOutgrown(depth, left[at] ?? new Map())) return 'refused';
      }
      if (this.canRemember) {
        const key = this.keyOf(depth, chosen, met, left);
        if (this.failed.has(key)) return 'refused';
        this.keys[depth] = key;
      }
      this.checks = this.checksOf(depth, chosen, left);
    }
    return this.advanceChecks();
  }

  /** Records that the enumeration leaves the prefix of this length. `isFruitless`: no completion was found. */
  leave(depth: number, isFruitless: boolean): void {
    const key = this.keys[depth];
    if (isFruitless && key !== undefined) this.failed.add(key);
    this.keys[depth] = undefined;
  }

  private advanceChecks(): PrefixVerdict {
    for (let check = this.checks?.at(-1); check !== undefined; check = this.checks?.at(-1)) {
      const isServed = check.advance(this.work);
      if (isServed === null) return 'paused';
      this.checks?.pop();
      if (isServed) continue;
      this.checks = null;
      return 'refused';
    }
    this.checks = null;
    return 'open';
  }

  /** Remaining capacity of the class on the providers that the prefix uses for it. */
  private leftOf(bounds: CapacityBounds, depth: number, chosen: readonly Choice[]): Map<Provider, number> {
    const left = new Map<Provider, number>();
    for (let at = 0; at < depth; at += 1) {
      const provider = chosen[at]?.provider;
      const amount = bounds.amounts[at] ?? 0;
      if (provider === undefined || amount === 0) continue;
      left.set(provider, (left.get(provider) ?? bounds.available(provider) ?? 0) - amount);
    }
    this.work.done += depth;
    return left;
  }

  private checksOf(
    depth: number,
    chosen: readonly Choice[],
    left: readonly ReadonlyMap<Provider, number>[],
  ): Assignment[] {
    const checks: Assignment[] = [];
    const open = this.slots.slice(depth);
    this.bounds.forEach((each, at) => {
      const asking = open.filter((_, offset) => (each.amounts[depth + offset] ?? 0) > 0);
      if (asking.length < 2) return;
      const servable = ({ provider }: Choice): number =>
        each.servable(depth, left[at]?.get(provider) ?? each.available(provider) ?? 0);
      checks.push(new Assignment(asking, servable));
    });
    if (this.query.isIsolating) {
      const used = this.usedBefore(depth, chosen);
      const granular = open.filter(({ group }) => !group.isUnsuffixed);
      const free = ({ provider }: Choice): number => (used.has(provider) ? 0 : 1);
      // If every group has at least this number of choices, a matching always exists.
      if (granular.some(({ choices }) => choices.length < granular.length + used.size)) {
        checks.push(new Assignment(granular, free));
      }
    }
    this.work.done += open.length;
    return checks;
  }

  private usedBefore(depth: number, chosen: readonly Choice[]): ReadonlySet<Provider> {
    const used = new Set<Provider>();
    for (let at = 0; at < depth; at += 1) {
      const provider = chosen[at]?.provider;
      if (provider !== undefined && this.slots[at]?.group.isUnsuffixed === false) used.add(provider);
    }
    return used;
  }

  /**
   * The cache key of a prefix. For every provider that the prefix changes: its equivalence class, its usable remaining
   * capacity, and its marks.
   */
  private keyOf(
    depth: number,
    chosen: readonly Choice[],
    met: number,
    left: readonly ReadonlyMap<Provider, number>[],
  ): string {
    const marks = this.marksOf(depth, chosen);
    const touched = new Set<Provider>(marks.keys());
    for (const each of left) for (const provider of each.keys()) touched.add(provider);
    const parts: string[] = [];
    for (const provider of touched) {
      const usableAmounts = this.bounds.map((each, at) =>
        each.usable(depth, left[at]?.get(provider) ?? each.available(provider) ?? 0),
      );
      parts.push(`${this.equivalence.get(provider) ?? ''}:${usableAmounts.join()}:${marks.get(provider) ?? ''}`);
    }
    this.work.done += STEPS_PER_NAME * touched.size * (1 + this.bounds.length);
    return `${depth}/${met}/${parts.sort().join(';')}`;
  }

  /** Marks of providers that rules restrict: isolated groups, one provider per tree, tops of subtrees. */
  private marksOf(depth: number, chosen: readonly Choice[]): ReadonlyMap<Provider, string> {
    const marks = new Map<Provider, string>();
    const mark = (provider: Provider, text: string): void => {
      marks.set(provider, (marks.get(provider) ?? '') + text);
    };
    if (this.query.isIsolating) for (const provider of this.usedBefore(depth, chosen)) mark(provider, 'u');
    if (!this.query.nestedAware) {
      for (const provider of new Set(chosen.slice(0, depth).map((choice) => choice.provider))) mark(provider, 'p');
    }
    let constraint = 0;
    for (const open of this.reach.openBefore(depth)) {
      for (const { provider, isTaken } of open ?? []) mark(provider, `${isTaken ? 't' : 'o'}${constraint}`);
      constraint += 1;
    }
    return marks;
  }
}
