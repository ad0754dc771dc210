// What waits for its turn: work for clients that have a share, whoever had least first, and all other work (claims, plain
// reads, the graph) in the order it came. Where both wait, next is the sort that took less time since both do: a search
// that lasts keeps nobody from a read that is short, nor do thousands of reads keep searches from going on.
import type { Client } from './client';
import { FairQueue } from './fair-queue';

interface Owned {
  readonly client: Client | undefined;
}

export class TurnQueue<T extends Owned> {
  private readonly shared = new FairQueue<T>();
  private readonly plain: T[] = [];
  private sharedMs = 0;
  private plainMs = 0;

  get size(): number {
    return this.plain.length + this.shared.size;
  }

  push(item: T): void {
    // What did not wait has no claim to what the other had meanwhile.
    if (item.client === undefined) {
      if (this.plain.length === 0) this.plainMs = Math.max(this.plainMs, this.sharedMs);
      this.plain.push(item);
    } else {
      if (this.shared.size === 0) this.sharedMs = Math.max(this.sharedMs, this.plainMs);
      this.shared.add(item.client, item);
    }
  }

  /** So much time was taken by work of the client, or of nobody in particular. */
  charge(client: Client | undefined, ms: number): void {
    if (client === undefined) this.plainMs += ms;
    else this.sharedMs += ms;
  }

  /** The next one; of those for clients, of clients that may go. */
  shift(mayGo?: (client: Client | undefined) => boolean): T | undefined {
    if (this.plain.length > 0 && this.plainMs <= this.sharedMs) return this.plain.shift();
    return this.shared.next(mayGo) ?? this.plain.shift();
  }

  /** Work for a client waits that has had less than this one. */
  hasOneBefore(client: Client): boolean {
    return this.shared.size > 0 && this.shared.hasLineBefore(client);
  }
}
