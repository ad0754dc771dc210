// Combines the slots of one anchor: every way to choose one provider per slot that honours the rules of the whole
// request. A walk that goes on when asked, so whoever has enough stops the work instead of trimming its result; and one
// that refuses a prefix as soon as nothing could come of it, so the work is in proportion to what is found.

import { canKeepApart, keepsApart } from './group-policy';
import { hasAnyTrait } from './match-group';
import type { Choice, Slot } from './match-group';
import { findOverdemandedClass, sumsFit } from './merged-capacity';
import { MASKED_SETS_MAX, maskOfSets } from './request-group';
import type { PreparedQuery } from './request-group';
import { keepsSubtrees } from './same-subtree';

/** A rule that can refuse a combination of choices each of which is fine by itself. */
export type CombinationRule =
  'group_policy' | 'single_provider_per_tree' | 'merged_capacity' | 'same_subtree' | 'traits';

/** How often each rule refused, and how often the walk may still run into a dead end. */
export class CombinationTally {
  isExhausted = false;
  deadEnds = 0;
  private counts: Map<CombinationRule, number> | null = null;

  constructor(private readonly deadEndsMax: number) {}

  get refusals(): ReadonlyMap<CombinationRule, number> {
    return this.counts ?? NO_REFUSALS;
  }

  refuse(rule: CombinationRule): void {
    this.counts ??= new Map();
    this.counts.set(rule, (this.counts.get(rule) ?? 0) + 1);
  }

  /** Counts a prefix none of whose extensions held; true when the walk has to be given up. */
  meetsDeadEnd(): boolean {
    this.deadEnds += 1;
    return (this.isExhausted ||= this.deadEnds > this.deadEndsMax);
  }
}

const NO_REFUSALS: ReadonlyMap<CombinationRule, number> = new Map();

/**
 * Slots in the order they are decided: fewest choices first, ties by suffix and class. It decides the order of
 * candidates under one anchor, and that dead ends show early.
 */
export function orderSlots(slots: readonly Slot[]): readonly Slot[] {
  for (let at = 1; at < slots.length; at += 1) {
    if (choicesOf(slots, at) < choicesOf(slots, at - 1)) {
      return [...slots].sort((first, second) => first.choices.length - second.choices.length);
    }
  }
  return slots;
}

const choicesOf = (slots: readonly Slot[], at: number): number => slots[at]?.choices.length ?? 0;

/**
 * The walk over every combination that honours group policy, subtrees, merged capacity, the unsuffixed group's
 * collective traits and (below 1.29) one provider per tree.
 */
export class Combinations {
  /** The choice of each slot in the current combination, in order of `slots`. */
  readonly chosen: Choice[] = [];
  /** The next choice of each slot to try, and how many combinations had been found when it was come to. */
  private readonly positions: number[] = [0];
  private readonly foundAt: number[] = [0];
  private found = 0;
  private depth: number;
  /** Which sets of collective traits are met before each slot, and which the slots from here on could still meet. */
  private readonly met: number[] | null;
  private readonly meetable: readonly number[];
  private readonly needed: number;

  constructor(
    private readonly slots: readonly Slot[],
    private readonly query: PreparedQuery,
    private readonly tally: CombinationTally,
  ) {
    this.needed = query.collectiveTraitMask;
    this.meetable = this.needed === 0 ? NOTHING_MEETABLE : meetableFrom(slots);
    this.met = this.needed === 0 ? null : [0];
    this.depth = this.isFeasible() ? 0 : -1;
  }

  /** Goes to the next combination; false when there is none left, or the walk was given up. */
  next(): boolean {
    const { slots, positions, foundAt } = this;
    let { depth } = this;
    while (depth >= 0) {
      const position = positions[depth] ?? 0;
      const choice = slots[depth]?.choices[position];
      if (choice === undefined) {
        const isGivenUp = this.found === foundAt[depth] && this.tally.meetsDeadEnd();
        depth = isGivenUp ? -1 : depth - 1;
        continue;
      }
      positions[depth] = position + 1;
      if (!this.take(depth, choice)) continue;
      if (depth < slots.length - 1) {
        depth += 1;
        positions[depth] = 0;
        foundAt[depth] = this.found;
      } else if (this.isComplete()) {
        this.found += 1;
        this.depth = depth;
        return true;
      }
    }
    this.depth = -1;
    return false;
  }

  /** Rules that one look at all slots can refute, before any combination is tried. */
  private isFeasible(): boolean {
    if (this.slots.length === 0) return false;
    if (this.needed !== 0 && (this.needed & ~(this.meetable[0] ?? 0)) !== 0) return this.refuse('traits');
    if (this.slots.length === 1) return true;
    if (this.query.isIsolating && !canKeepApart(this.slots)) return this.refuse('group_policy');
    if (this.query.contendedClasses.size === 0) return true;
    return findOverdemandedClass(this.slots, this.query.contendedClasses) === null || this.refuse('merged_capacity');
  }

  /** Puts `choice` at `depth` unless a rule already refuses the prefix. */
  private take(depth: number, choice: Choice): boolean {
    const { slots, query, chosen } = this;
    if (this.met !== null) {
      const met = (this.met[depth] ?? 0) | choice.traitMask;
      if ((this.needed & ~met & ~(this.meetable[depth + 1] ?? 0)) !== 0) return this.refuse('traits');
      this.met[depth + 1] = met;
    }
    if (depth > 0) {
      if (query.isIsolating && !keepsApart(slots, chosen, depth, choice)) return this.refuse('group_policy');
      if (!query.nestedAware && !keepsSingle(chosen, depth, choice)) return this.refuse('single_provider_per_tree');
      if (query.contendedClasses.size > 0 && !sumsFit(slots, chosen, depth, choice, query.contendedClasses)) {
        return this.refuse('merged_capacity');
      }
    }
    if (query.sameSubtree.length > 0 && !keepsSubtrees(slots, chosen, depth, choice, query.sameSubtree)) {
      return this.refuse('same_subtree');
    }
    chosen[depth] = choice;
    return true;
  }

  /** The rules that only a complete combination can be asked about. */
  private isComplete(): boolean {
    if (this.needed !== maskOfSets(MASKED_SETS_MAX)) return true;
    const group = this.slots.find((slot) => slot.group.isUnsuffixed)?.group;
    if (group === undefined || group.requiredTraits.length <= MASKED_SETS_MAX) return true;
    const isMet = (anyOf: readonly string[]): boolean =>
      this.slots.some((slot, at) => {
        const provider = this.chosen[at]?.provider;
        return slot.group === group && provider !== undefined && hasAnyTrait(provider, anyOf);
      });
    return group.requiredTraits.slice(MASKED_SETS_MAX).every(isMet) || this.refuse('traits');
  }

  private refuse(rule: CombinationRule): false {
    this.tally.refuse(rule);
    return false;
  }
}

/** Below 1.29 a candidate that takes from two providers of one tree is none. */
function keepsSingle(chosen: readonly Choice[], depth: number, choice: Choice): boolean {
  for (let before = 0; before < depth; before += 1) {
    const other = chosen[before]?.provider;
    if (other !== undefined && other.rootId === choice.provider.rootId && other.id !== choice.provider.id) return false;
  }
  return true;
}

const NOTHING_MEETABLE: readonly number[] = [];

function meetableFrom(slots: readonly Slot[]): number[] {
  const meetable = new Array<number>(slots.length + 1).fill(0);
  for (let at = slots.length - 1; at >= 0; at -= 1) {
    meetable[at] = meetable[at + 1] ?? 0;
    for (const choice of slots[at]?.choices ?? []) meetable[at] = (meetable[at] ?? 0) | choice.traitMask;
  }
  return meetable;
}
