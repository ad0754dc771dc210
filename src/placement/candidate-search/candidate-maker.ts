// Makes the candidates of one search. Candidates that put the same slots on the same places share one shape, so a new
// candidate only needs its providers in order and a lookup of its shape.

import type { CandidateShape } from './candidate';
import { FoundCandidate } from './candidate';
import type { Choice, Slot } from './match-group';
import type { Provider } from './provider-graph';
import type { Demand, PreparedQuery } from './request-group';

interface SlotPlan {
  readonly suffix: string;
  readonly demands: readonly Demand[];
}

/** Up to this number of slots, the pattern of slots on places fits into a safe integer. */
const NUMBERED_SLOTS_MAX = 13;
/**
 * Maximum of cached shapes per search. Most searches have fewer than ten; six equal groups on equal providers have 4
 * 683.
 */
const SHAPES_MAX = 5_000;

/** Makes the candidates of one search and caches their shapes. */
export class CandidateMaker {
  private readonly plans: readonly SlotPlan[];
  private readonly shapes = new Map<number | string, CandidateShape>();
  /** The place of each slot while a candidate is made. */
  private readonly places: number[];

  constructor({ groups }: PreparedQuery) {
    this.plans = groups.flatMap(({ suffix, slotDemands }) => slotDemands.map((demands) => ({ suffix, demands })));
    this.places = this.plans.map(() => 0);
  }

  /**
   * The candidate for these choices. `slots` and `chosen` must be in the same order; the order itself does not matter.
   */
  make(root: Provider, slots: readonly Slot[], chosen: readonly Choice[]): FoundCandidate {
    const providers: Provider[] = [];
    for (const { provider } of chosen) putInOrder(providers, provider);
    for (let at = 0; at < slots.length; at += 1) {
      const [slot, choice] = [slots[at], chosen[at]];
      if (slot !== undefined && choice !== undefined) this.places[slot.index] = providers.indexOf(choice.provider);
    }
    return new FoundCandidate(root, providers, this.shapeOfPlaces(providers.length));
  }

  /** The shape in which one provider serves all slots. */
  shapeOfOne(): CandidateShape {
    this.places.fill(0);
    return this.shapeOfPlaces(1);
  }

  private shapeOfPlaces(count: number): CandidateShape {
    const key = this.patternOfPlaces();
    let shape = this.shapes.get(key);
    if (shape === undefined) {
      shape = shapeOf(this.plans, [...this.places], count);
      if (this.shapes.size < SHAPES_MAX) this.shapes.set(key, shape);
    }
    return shape;
  }

  private patternOfPlaces(): number | string {
    const { places } = this;
    if (places.length > NUMBERED_SLOTS_MAX) return places.join();
    let pattern = 0;
    for (const place of places) pattern = pattern * places.length + place;
    return pattern;
  }
}

function putInOrder(providers: Provider[], provider: Provider): void {
  let at = providers.length;
  while (at > 0 && (providers[at - 1]?.id ?? 0) > provider.id) at -= 1;
  if (at > 0 && providers[at - 1] === provider) return;
  if (at === providers.length) providers.push(provider);
  else providers.splice(at, 0, provider);
}

function shapeOf(plans: readonly SlotPlan[], placeOfSlot: readonly number[], count: number): CandidateShape {
  const resources = new Array<Map<string, number> | null>(count).fill(null);
  const mapped = new Map<string, Set<number>>();
  plans.forEach(({ suffix, demands }, slot) => {
    const place = placeOfSlot[slot] ?? 0;
    for (const { resourceClass, amount } of demands) {
      const sums = (resources[place] ??= new Map<string, number>());
      sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
    }
    const places = mapped.get(suffix);
    if (places === undefined) mapped.set(suffix, new Set([place]));
    else places.add(place);
  });
  const mappings = [...mapped].map(([suffix, places]) => ({
    suffix,
    places: [...places].sort((first, second) => first - second),
  }));
  return { resources, mappings, placeOfSlot };
}
