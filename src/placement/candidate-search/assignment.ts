// Decides whether all slots can have a provider at once when each provider serves a limited number of slots: bipartite
// matching with augmenting paths, found breadth-first. Trying all combinations takes exponential time (nine interfaces,
// one card each, eight cards); matching takes polynomial time. Pauses when the work is due to pause.

import type { Choice, Slot } from './match-group';
import type { Work } from './work';

/** Matches slots to providers; provider p serves at most `roomOf(p's choice)` of them. */
export class Assignment {
  private readonly served = new Map<number, number[]>();
  /** The provider id of each slot, by the slot's position. */
  private readonly serverOf: (number | undefined)[] = [];
  /** The slot to serve now, and the state of its breadth-first search. */
  private at = 0;
  private waiting: number[] = [];
  private head = 0;
  private choiceAt = 0;
  private readonly reachedBy = new Map<number, number>();

  constructor(
    private readonly slots: readonly Slot[],
    private readonly capacityOf: (choice: Choice) => number,
  ) {
    this.startWith(0);
  }

  /** Continues until the result is known: whether all slots can be served together; null when a pause is due first. */
  advance(work: Work): boolean | null {
    while (this.at < this.slots.length) {
      const place = this.waiting[this.head];
      // All slots that could move to another provider were tried.
      if (place === undefined) return false;
      const choice = this.slots[place]?.choices[this.choiceAt];
      if (choice === undefined) {
        this.head += 1;
        this.choiceAt = 0;
        continue;
      }
      if (work.isPauseDue) return null;
      work.done += 1;
      this.choiceAt += 1;
      if (this.reach(place, choice)) this.startWith(this.at + 1);
    }
    return true;
  }

  private startWith(at: number): void {
    this.at = at;
    this.waiting = [at];
    this.head = 0;
    this.choiceAt = 0;
    this.reachedBy.clear();
  }

  /**
   * True if the provider has capacity: every slot on the path then moves to its next provider, and the slot is served.
   */
  private reach(place: number, choice: Choice): boolean {
    const id = choice.provider.id;
    if (this.reachedBy.has(id)) return false;
    this.reachedBy.set(id, place);
    const guests = this.served.get(id) ?? [];
    this.served.set(id, guests);
    if (guests.length < this.capacityOf(choice)) {
      this.moveUp(id);
      return true;
    }
    // Slots with the same list of choices reach the same providers, so one of them is enough.
    for (const guest of guests) {
      const choices = this.slots[guest]?.choices;
      if (!this.waiting.some((other) => this.slots[other]?.choices === choices)) this.waiting.push(guest);
    }
    return false;
  }

  private moveUp(freeId: number): void {
    let id: number | undefined = freeId;
    while (id !== undefined) {
      const place: number | undefined = this.reachedBy.get(id);
      if (place === undefined) return;
      const left: number | undefined = this.serverOf[place];
      this.served.get(id)?.push(place);
      this.serverOf[place] = id;
      if (left !== undefined) {
        const guests = this.served.get(left) ?? [];
        guests.splice(guests.indexOf(place), 1);
      }
      id = left;
    }
  }
}
