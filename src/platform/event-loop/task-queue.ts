// The queue of tasks for the event loop. Tasks of clients are ordered by usage; all other tasks (claims, plain reads,
// the graph) by arrival. If both kinds wait, the kind that took less time since then is next: a long search does not
// delay short reads, and thousands of reads do not stop searches.
import type { Client } from './client';
import { FairQueue } from './fair-queue';

interface Owned {
  readonly client: Client | undefined;
}

export class TaskQueue<T extends Owned> {
  private readonly shared = new FairQueue<T>();
  private readonly plain: T[] = [];
  private sharedMs = 0;
  private plainMs = 0;

  get size(): number {
    return this.plain.length + this.shared.size;
  }

  push(item: T): void {
    // A kind that was not waiting has no claim to earlier time.
    if (item.client === undefined) {
      if (this.plain.length === 0) this.plainMs = Math.max(this.plainMs, this.sharedMs);
      this.plain.push(item);
    } else {
      if (this.shared.size === 0) this.sharedMs = Math.max(this.sharedMs, this.plainMs);
      this.shared.add(item.client, item);
    }
  }

  /** Records the time of a task of this client, or of none. */
  charge(client: Client | undefined, ms: number): void {
    if (client === undefined) this.plainMs += ms;
    else this.sharedMs += ms;
  }

  /** The next task. */
  shift(): T | undefined {
    if (this.plain.length > 0 && this.plainMs <= this.sharedMs) return this.plain.shift();
    return this.shared.next() ?? this.plain.shift();
  }

  /** A task of a client with less usage waits. */
  hasOneBefore(client: Client): boolean {
    return this.shared.size > 0 && this.shared.hasLineBefore(client);
  }
}
