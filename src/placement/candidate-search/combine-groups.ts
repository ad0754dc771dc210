// Combines the slots of one anchor: enumerates every way to choose one provider per slot that honours the rules of the
// whole request. The enumeration is lazy, so the caller stops it when it has enough. A prefix that cannot be completed
// is refused at once, so the work grows with the number of results. The enumeration counts its steps, pauses when a
// pause is due, and gives up after too many steps without a result.

import type { Walk } from '../../platform/values/walk';
import type { CombinationRule, CombinationTally } from './combination-tally';
import { areTooMany, keepsApart } from './group-policy';
import { hasAnyTrait } from './match-group';
import type { Choice, Slot } from './match-group';
import { outgrows, sumsFit } from './merged-capacity';
import { Outlook } from './outlook';
import { MASKED_SETS_MAX, maskOfSets } from './request-group';
import type { PreparedQuery } from './request-group';
import { amountOf } from './room-bounds';
import { keepsSubtrees } from './same-subtree';
import type { Work } from './work';

/** `none`: no further combination exists, or the enumeration gave up. */
export type CombinationStep = 'found' | 'none' | 'paused';

/** If a step would read more choices than this, the patience is 0: the `Outlook` starts at once. */
const CHOICES_PER_STEP_MAX = 256;

/** Maximum of choices for the early check of sums. */
const CHOICES_SUMMED_MAX = 2_000;

/**
 * Slots in the order in which they are decided: fewest choices first, then the largest amounts of contended classes,
 * then suffix and class. This order defines the order of candidates under one anchor and makes dead ends fail early.
 */
export function orderSlots(slots: readonly Slot[], contended: ReadonlySet<string>): readonly Slot[] {
  for (let at = 1; at < slots.length; at += 1) {
    const [before, slot] = [slots[at - 1], slots[at]];
    if (before !== undefined && slot !== undefined && compareSlots(before, slot, contended) > 0) {
      return [...slots].sort((first, second) => compareSlots(first, second, contended));
    }
  }
  return slots;
}

function compareSlots(first: Slot, second: Slot, contended: ReadonlySet<string>): number {
  const more = first.choices.length - second.choices.length;
  if (more !== 0 || contended.size === 0) return more;
  for (const resourceClass of contended) {
    const less = amountOf(second.demands, resourceClass) - amountOf(first.demands, resourceClass);
    if (less !== 0) return less;
  }
  return 0;
}

/**
 * Enumerates every combination that honours group policy, subtrees, merged capacity, the unsuffixed group's collective
 * traits and (below 1.29) one provider per tree.
 */
export class Combinations {
  /** The choice of each slot in the current combination, in order of `slots`. */
  readonly chosen: Choice[] = [];
  /** The next choice of each slot to try, and the number of combinations found when the slot was reached. */
  private readonly positions: number[] = [0];
  private readonly foundAt: number[] = [0];
  private found = 0;
  private depth: number;
  /** Steps between the last combination and the last pause. */
  private fruitless = 0;
  private outlook: Outlook | null = null;
  private opening: Walk<Outlook> | null = null;
  /** With an `Outlook`: all prefixes shorter than this have a verdict. */
  private judged = 0;
  /** The sets of collective traits that are met before each slot, and those that the remaining slots can still meet. */
  private readonly met: number[] | null;
  private readonly meetable: readonly number[];
  private readonly needed: number;
  /** The extra cost of a step: the choices that it reads, and whether it reads all choices taken so far. */
  private stepCost: number;
  private readonly looksBack: boolean;
  /** After this number of steps without a result, the enumeration builds an `Outlook`. */
  private readonly patience: number;

  constructor(
    private readonly slots: readonly Slot[],
    private readonly query: PreparedQuery,
    private readonly tally: CombinationTally,
    private readonly work: Work,
    private readonly stepsMax = work.stepsPerAnchorMax,
  ) {
    this.needed = query.collectiveTraitMask;
    this.meetable = this.needed === 0 ? NOTHING_MEETABLE : meetableFrom(slots);
    this.met = this.needed === 0 ? null : [0];
    this.looksBack = query.isIsolating || !query.nestedAware || query.contendedClasses.size > 0;
    this.stepCost = query.sameSubtree.length === 0 ? 0 : choicesOfAll(slots);
    this.patience = this.stepCost > CHOICES_PER_STEP_MAX ? 0 : work.patience;
    this.depth = this.isFeasible() ? 0 : -1;
  }

  /** Advances to the next combination; after a pause it resumes. */
  next(): CombinationStep {
    if (this.depth < 0) return 'none';
    const { work } = this;
    const before = work.done;
    const step = this.advance(before - this.fruitless);
    this.tally.steps += work.done - before;
    this.fruitless = step === 'found' ? 0 : this.fruitless + work.done - before;
    return step;
  }

  /** `since`: the work done when the last combination was found. */
  private advance(since: number): CombinationStep {
    const { work } = this;
    const dryAt = this.slots.length > 1 ? since + this.patience : Number.POSITIVE_INFINITY;
    const lastAt = since + this.stepsMax;
    while (this.depth >= 0) {
      // The result must not depend on where other searches made this one pause, so a started check ends before giving
      // up.
      if (work.done >= lastAt && !this.isLookingOut) this.giveUp();
      else if (work.done >= work.pauseAt) return 'paused';
      else if (this.outlook === null && work.done >= dryAt) {
        if (!this.lookOut()) return 'paused';
      } else if (this.outlook !== null && this.judged <= this.depth) {
        const isOpen = work.done < dryAt ? this.passUnjudged(this.outlook) : this.judge(this.outlook);
        if (isOpen === null) return 'paused';
      } else if (this.tryChoices(Math.min(work.pauseAt, lastAt, this.outlook === null ? dryAt : lastAt))) {
        return 'found';
      }
    }
    return 'none';
  }

  private get isLookingOut(): boolean {
    return this.opening !== null || this.outlook?.isBusy === true;
  }

  private giveUp(): void {
    this.tally.isExhausted = true;
    this.depth = -1;
  }

  /** Tries choices until a combination is found, the work reaches `stopAt`, or a prefix needs a verdict. */
  private tryChoices(stopAt: number): boolean {
    const { slots, positions, foundAt, work, outlook } = this;
    const last = slots.length - 1;
    let { depth } = this;
    while (depth >= 0 && work.done < stopAt) {
      const position = positions[depth] ?? 0;
      const choice = slots[depth]?.choices[position];
      if (choice === undefined) {
        if (outlook !== null) outlook.leave(depth, this.found === foundAt[depth]);
        depth -= 1;
        work.done += 1;
        continue;
      }
      positions[depth] = position + 1;
      if (!this.take(depth, choice)) continue;
      if (depth < last) {
        depth += 1;
        positions[depth] = 0;
        foundAt[depth] = this.found;
        if (outlook === null) continue;
        this.judged = depth;
        break;
      }
      if (!this.isComplete()) continue;
      this.found += 1;
      this.depth = depth;
      return true;
    }
    this.depth = depth;
    return false;
  }

  /** Prepares the `Outlook` and goes back to the first choice that it refuses; false when a pause is due. */
  private lookOut(): boolean {
    this.opening ??= Outlook.of(this.slots, this.query, this.work);
    const step = this.opening.next();
    if (step.done !== true) return false;
    this.outlook = step.value;
    this.opening = null;
    this.stepCost = 0;
    this.judged = 0;
    for (let at = 0; at < this.depth; at += 1) {
      const choice = this.chosen[at];
      if (choice !== undefined && !this.reaches(step.value, at, choice)) this.depth = at;
    }
    return true;
  }

  /** While combinations are found regularly, prefixes are not judged. */
  private passUnjudged(outlook: Outlook): true {
    for (; this.judged <= this.depth; this.judged += 1) outlook.leave(this.judged, false);
    return true;
  }

  /** Leaves the shortest prefix that cannot be completed (false); true if there is none; null when a pause is due. */
  private judge(outlook: Outlook): boolean | null {
    for (; this.judged <= this.depth; this.judged += 1) {
      const verdict = outlook.judge(this.judged, this.chosen, this.met?.[this.judged] ?? 0);
      if (verdict === 'open') continue;
      if (verdict === 'paused') return null;
      if (verdict !== 'known') this.refuse(verdict);
      if (verdict === 'same_subtree' && outlook.reach.needsIsolation) this.refuse('group_policy');
      this.depth = this.judged - 1;
      return false;
    }
    return true;
  }

  /** Checks the rules that all slots together can refute before any combination is tried. */
  private isFeasible(): boolean {
    const { slots, query } = this;
    if (slots.length === 0) return false;
    if (this.needed !== 0 && (this.needed & ~(this.meetable[0] ?? 0)) !== 0) return this.refuse('traits');
    if (slots.length === 1) return true;
    if (query.isIsolating && areTooMany(slots)) return this.refuse('group_policy');
    return query.contendedClasses.size === 0 || !this.asksTooMuch() || this.refuse('merged_capacity');
  }

  /** Only for trees of the usual size; the `Outlook` checks larger ones. */
  private asksTooMuch(): boolean {
    const choices = choicesOfAll(this.slots);
    if (choices > CHOICES_SUMMED_MAX) return false;
    this.work.done += choices;
    for (const resourceClass of this.query.contendedClasses) if (outgrows(this.slots, resourceClass)) return true;
    return false;
  }

  /** Takes `choice` at `depth` unless a rule already refuses the prefix. */
  private take(depth: number, choice: Choice): boolean {
    const { slots, query, chosen } = this;
    this.work.done += this.looksBack ? 1 + this.stepCost + depth : 1 + this.stepCost;
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
    if (query.sameSubtree.length > 0) {
      const keeps =
        this.outlook === null
          ? keepsSubtrees(slots, chosen, depth, choice, query.sameSubtree) || this.refuse('same_subtree')
          : this.reaches(this.outlook, depth, choice);
      if (!keeps) return false;
    }
    chosen[depth] = choice;
    return true;
  }

  private reaches(outlook: Outlook, depth: number, choice: Choice): boolean {
    if (outlook.reach.take(depth, choice)) return true;
    if (outlook.reach.needsIsolation) this.refuse('group_policy');
    return this.refuse('same_subtree');
  }

  /** Checks the rules that need a complete combination. */
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

/** Below 1.29 a candidate takes from at most one provider per tree. */
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

function choicesOfAll(slots: readonly Slot[]): number {
  let count = 0;
  for (const { choices } of slots) count += choices.length;
  return count;
}
