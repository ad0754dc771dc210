// Semaphore with a queue that is fair between clients: limits the running work in total and per client; the waiter of
// the client with the least usage enters next. A waiter gets TooManyRequests if the queue has no place, if a client
// with fewer waiters needs its place, or after a timeout.
import { TooManyRequests } from '../values/errors';
import type { Caller } from './caller';
import { CallerGone } from './caller';
import type { Client } from './client';
import { FairQueue } from './fair-queue';

export interface GateBounds {
  readonly inside: number;
  readonly insideOfClient: number;
  readonly waiting: number;
  readonly waitingOfClient: number;
  readonly waitMs: number;
}

/** A running piece of work. */
export interface Place {
  /** Idempotent. */
  leave(): void;
}

/** A waiting piece of work. */
interface Waiter {
  readonly client: Client | undefined;
  readonly timer: NodeJS.Timeout;
  readonly enter: (place: Place) => void;
  readonly refuse: (error: Error) => void;
}

/** A wait for a place that can be cancelled. */
export interface Wait {
  readonly place: Promise<Place>;
  /** Leaves the queue if still waiting: `place` is rejected with CallerGone. */
  giveUp(): void;
}

export class FairGate {
  private readonly queue: FairQueue<Waiter>;
  private readonly insideOf = new Map<Client, number>();
  private inside = 0;
  private refusals = 0;

  constructor(
    private readonly what: string,
    private readonly bounds: GateBounds,
  ) {
    this.queue = new FairQueue({ places: bounds.waiting, placesOfClient: bounds.waitingOfClient });
  }

  /** Running, waiting and refused work since the process started. */
  get figures(): { readonly inside: number; readonly waiting: number; readonly refused: number } {
    return { inside: this.inside, waiting: this.queue.size, refused: this.refusals };
  }

  /** Returns a place if one is free, otherwise a wait, whose place is rejected with TooManyRequests on failure. */
  enter(client: Client | undefined): Place | Wait {
    if (this.inside < this.bounds.inside && this.mayGoIn(client) && !this.queue.hasLineOf(client)) {
      return this.placeFor(client);
    }
    return this.wait(client);
  }

  /** Runs `work` inside. Throws TooManyRequests, or CallerGone if the caller disconnected before its admission. */
  async pass<T>(work: () => Promise<T>, caller?: Caller): Promise<T> {
    const entered = this.enter(caller?.client);
    const place = 'place' in entered ? await entered.place : entered;
    try {
      if (caller?.isGone === true) throw new CallerGone();
      return await work();
    } finally {
      place.leave();
    }
  }

  private mayGoIn(client: Client | undefined): boolean {
    return client === undefined || (this.insideOf.get(client) ?? 0) < this.bounds.insideOfClient;
  }

  private placeFor(client: Client | undefined): Place {
    this.inside += 1;
    if (client !== undefined) this.insideOf.set(client, (this.insideOf.get(client) ?? 0) + 1);
    let isInside = true;
    return {
      leave: () => {
        if (!isInside) return;
        isInside = false;
        this.left(client);
      },
    };
  }

  private left(client: Client | undefined): void {
    this.inside -= 1;
    if (client !== undefined) {
      const others = (this.insideOf.get(client) ?? 0) - 1;
      if (others > 0) this.insideOf.set(client, others);
      else this.insideOf.delete(client);
    }
    while (this.inside < this.bounds.inside) {
      const next = this.queue.next((owner) => this.mayGoIn(owner));
      if (next === undefined) return;
      clearTimeout(next.timer);
      next.enter(this.placeFor(next.client));
    }
  }

  private wait(client: Client | undefined): Wait {
    let waiter: Waiter | undefined;
    const place = new Promise<Place>((enter, refuse) => {
      const timer = setTimeout(() => {
        this.queue.remove(client, waiting);
        refuse(this.refusal(`Waited too long for ${this.what}.`));
      }, this.bounds.waitMs);
      const waiting: Waiter = { client, timer, enter, refuse };
      const leaving = this.queue.add(client, waiting);
      if (leaving === undefined) {
        clearTimeout(timer);
        throw this.refusal(`The queue for ${this.what} has no place for this client.`);
      }
      waiter = waiting;
      for (const each of leaving) {
        clearTimeout(each.timer);
        each.refuse(this.refusal(`The queue for ${this.what} is full and this client has the most requests in it.`));
      }
    });
    return {
      place,
      giveUp: () => {
        if (waiter === undefined || !this.queue.remove(client, waiter)) return;
        clearTimeout(waiter.timer);
        waiter.refuse(new CallerGone());
      },
    };
  }

  private refusal(reason: string): TooManyRequests {
    this.refusals += 1;
    return new TooManyRequests(reason);
  }
}
