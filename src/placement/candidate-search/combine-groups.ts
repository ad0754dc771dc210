// Combines the slots of one anchor: enumerates every way to choose one provider per slot that honours the rules of the
// whole request. The enumeration is lazy, so the caller stops it when it has enough. A prefix that cannot be completed
// is refused at once, so the work grows with the number of results. The enumeration counts its steps, pauses when a
// pause is due, and gives up after too many steps without a result.

import type { Task } from '../../platform/values/task';
import { amountOf } from './capacity-bounds';
import { areTooMany, keepsApart } from './group-policy';
import type { Choice, Slot } from './match-group';
import { hasAnyTrait } from './match-group';
import { outgrows, sumsFit } from './merged-capacity';
import { PrefixPruner } from './prefix-pruner';
import type { PreparedQuery } from './request-group';
import { MASKED_SETS_MAX, maskOfSets } from './request-group';
import { keepsSubtrees } from './same-subtree';
import type { Work } from './work';

/** `none`: no further combination exists, or the enumeration reached its work limit. */
export type CombinationStep = 'found' | 'none' | 'paused';

/** If a step checks more choices than this, the prefix pruner is prepared at once. */
const CHOICES_PER_STEP_MAX = 256;

/** Maximum of choices that are summed without a pause. */
const CHOICES_SUMMED_MAX = 2_000;

/**
 * Slots in the order in which they are decided: fewest choices first, then the largest amount of a contended class, then
 * suffix and class. This order determines that of the candidates under one anchor, and finds dead ends early.
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
 * The enumeration of every combination that honours group policy, subtrees, merged capacity, the unsuffixed group's
 * collective traits and (below 1.29) one provider per tree.
 */
export class Combinations {
  /** The enumeration reached its work limit. */
  isExhausted = false;
  /** The choice of each slot in the current combination, in order of `slots`. */
  readonly chosen: Choice[] = [];
  /** The next choice of each slot, and the number of combinations found before the first one. */
  private readonly positions: number[] = [0];
  private readonly foundAt: number[] = [0];
  private found = 0;
  private depth: number;
  /** Steps since the last found combination, up to the last pause. */
  private fruitless = 0;
  private pruner: PrefixPruner | null = null;
  private opening: Task<PrefixPruner> | null = null;
  /** With a prefix pruner: prefixes shorter than this are judged. */
  private judged = 0;
  /** Sets of collective traits met before each slot, and those that the slots from there on can still meet. */
  private readonly met: number[] | null;
  private readonly meetable: readonly number[];
  private readonly needed: number;
  /** The further cost of a step: the choices that it checks, and whether it checks all chosen providers. */
  private stepCost: number;
  private readonly looksBack: boolean;
  /** Steps without a result after which the enumeration uses the prefix pruner. */
  private readonly patience: number;

  constructor(
    private readonly slots: readonly Slot[],
    private readonly query: PreparedQuery,
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

  /** Finds the next combination. After `paused`, call it again to resume. */
  next(): CombinationStep {
    if (this.depth < 0) return 'none';
    const { work } = this;
    const before = work.done;
    const step = this.advance(before - this.fruitless);
    this.fruitless = step === 'found' ? 0 : this.fruitless + work.done - before;
    return step;
  }

  /** `since`: the work done at the last found combination. */
  private advance(since: number): CombinationStep {
    const { work } = this;
    const dryAt = this.slots.length > 1 ? since + this.patience : Number.POSITIVE_INFINITY;
    const lastAt = since + this.stepsMax;
    while (this.depth >= 0) {
      // The result must not depend on where other searches made this one pause, so a started check ends before giving
      // up.
      if (work.done >= lastAt && !this.isLookingOut) this.giveUp();
      else if (work.done >= work.pauseAt) return 'paused';
      else if (this.pruner === null && work.done >= dryAt) {
        if (!this.lookOut()) return 'paused';
      } else if (this.pruner !== null && this.judged <= this.depth) {
        const isOpen = work.done < dryAt ? this.passUnjudged(this.pruner) : this.judge(this.pruner);
        if (isOpen === null) return 'paused';
      } else if (this.tryChoices(Math.min(work.pauseAt, lastAt, this.pruner === null ? dryAt : lastAt))) {
        return 'found';
      }
    }
    return 'none';
  }

  private get isLookingOut(): boolean {
    return this.opening !== null || this.pruner?.isBusy === true;
  }

  private giveUp(): void {
    this.isExhausted = true;
    this.depth = -1;
  }

  /** Tries choices until a combination is found, the work reaches `stopAt`, or the pruner must judge a prefix. */
  private tryChoices(stopAt: number): boolean {
    const { slots, positions, foundAt, work, pruner } = this;
    const last = slots.length - 1;
    let { depth } = this;
    while (depth >= 0 && work.done < stopAt) {
      const position = positions[depth] ?? 0;
      const choice = slots[depth]?.choices[position];
      if (choice === undefined) {
        if (pruner !== null) pruner.leave(depth, this.found === foundAt[depth]);
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
        if (pruner === null) continue;
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

  /** Prepares the prefix pruner and returns to the first choice that it refuses. Returns false when a pause is due. */
  private lookOut(): boolean {
    this.opening ??= PrefixPruner.of(this.slots, this.query, this.work);
    const step = this.opening.next();
    if (step.done !== true) return false;
    this.pruner = step.value;
    this.opening = null;
    this.stepCost = 0;
    this.judged = 0;
    for (let at = 0; at < this.depth; at += 1) {
      const choice = this.chosen[at];
      if (choice !== undefined && !step.value.reach.take(at, choice)) this.depth = at;
    }
    return true;
  }

  /** Skips the judgement: the enumeration still finds combinations. */
  private passUnjudged(pruner: PrefixPruner): true {
    for (; this.judged <= this.depth; this.judged += 1) pruner.leave(this.judged, false);
    return true;
  }

  /** Returns false after it has left the shortest prefix that no completion can satisfy; null when a pause is due. */
  private judge(pruner: PrefixPruner): boolean | null {
    for (; this.judged <= this.depth; this.judged += 1) {
      const verdict = pruner.judge(this.judged, this.chosen, this.met?.[this.judged] ?? 0);
      if (verdict === 'open') continue;
      if (verdict === 'paused') return null;
      this.depth = this.judged - 1;
      return false;
    }
    return true;
  }

  /** Checks the rules that all slots together can violate, before any combination is tried. */
  private isFeasible(): boolean {
    const { slots, query } = this;
    if (slots.length === 0) return false;
    if (this.needed !== 0 && (this.needed & ~(this.meetable[0] ?? 0)) !== 0) return false;
    if (slots.length === 1) return true;
    if (query.isIsolating && areTooMany(slots)) return false;
    return query.contendedClasses.size === 0 || !this.asksTooMuch();
  }

  /** For trees of usual size; the prefix pruner handles larger ones. */
  private asksTooMuch(): boolean {
    const choices = choicesOfAll(this.slots);
    if (choices > CHOICES_SUMMED_MAX) return false;
    this.work.done += choices;
    for (const resourceClass of this.query.contendedClasses) if (outgrows(this.slots, resourceClass)) return true;
    return false;
  }

  /** Sets `choice` at `depth`, unless a rule already refuses the prefix. */
  private take(depth: number, choice: Choice): boolean {
    const { slots, query, chosen } = this;
    this.work.done += this.looksBack ? 1 + this.stepCost + depth : 1 + this.stepCost;
    if (this.met !== null) {
      const met = (this.met[depth] ?? 0) | choice.traitMask;
      if ((this.needed & ~met & ~(this.meetable[depth + 1] ?? 0)) !== 0) return false;
      this.met[depth + 1] = met;
    }
    if (depth > 0) {
      if (query.isIsolating && !keepsApart(slots, chosen, depth, choice)) return false;
      if (!query.nestedAware && !keepsSingle(chosen, depth, choice)) return false;
      if (query.contendedClasses.size > 0 && !sumsFit(slots, chosen, depth, choice, query.contendedClasses)) {
        return false;
      }
    }
    if (query.sameSubtree.length > 0) {
      const keeps =
        this.pruner === null
          ? keepsSubtrees(slots, chosen, depth, choice, query.sameSubtree)
          : this.pruner.reach.take(depth, choice);
      if (!keeps) return false;
    }
    chosen[depth] = choice;
    return true;
  }

  /** Checks the rules that need the complete combination. */
  private isComplete(): boolean {
    if (this.needed !== maskOfSets(MASKED_SETS_MAX)) return true;
    const group = this.slots.find((slot) => slot.group.isUnsuffixed)?.group;
    if (group === undefined || group.requiredTraits.length <= MASKED_SETS_MAX) return true;
    const isMet = (anyOf: readonly string[]): boolean =>
      this.slots.some((slot, at) => {
        const provider = this.chosen[at]?.provider;
        return slot.group === group && provider !== undefined && hasAnyTrait(provider, anyOf);
      });
    return group.requiredTraits.slice(MASKED_SETS_MAX).every(isMet);
  }
}

/** Below 1.29 a candidate has at most one provider of each tree. */
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
