// Fair shares: usage per client on one common scale. The client with the least usage is served next. A returning client
// is placed slightly below the currently served ones, however long it was idle. The scale advances with the work done,
// not with a clock.

/** A client of the service. Its position on the scale is in milliseconds of work. */

/** Number of remembered clients: more than can wait. */
const CLIENTS_KEPT = 10_000;
/** The advantage of a client that was idle over those that were served, in milliseconds of work. */
const CREDIT_MS = 1_000;
export class Client {
  private workMs = 0;
  private engagements = 0;

  /** Position on the scale; the lowest is served next. */
  get usageMs(): number {
    return this.workMs;
  }

  /** The client has running or waiting work. */
  get isEngaged(): boolean {
    return this.engagements > 0;
  }

  /** Adds this work to the client's usage. */
  charge(ms: number): void {
    this.workMs += ms;
  }

  /** Counts one more running or waiting piece of work; a returning client starts at `lowestMs` or above. */
  engage(lowestMs: number): void {
    if (this.engagements === 0) this.workMs = Math.max(this.workMs, lowestMs);
    this.engagements += 1;
  }

  disengage(): void {
    this.engagements -= 1;
  }
}

/** All remembered clients of this process. */
export class Clients {
  private readonly known = new Map<string, Client>();
  private readonly engaged = new Set<Client>();
  /** How far the scale has advanced: the highest minimum of the engaged clients so far. */
  private reachedMs = 0;

  constructor(
    private readonly bounds: { readonly kept: number; readonly creditMs: number } = {
      kept: CLIENTS_KEPT,
      creditMs: CREDIT_MS,
    },
  ) {}

  /** The number of remembered clients. */
  get size(): number {
    return this.known.size;
  }

  /** The client of this name. A new one replaces the client that was idle for longest. */
  of(name: string): Client {
    const client = this.known.get(name) ?? new Client();
    this.known.delete(name);
    this.known.set(name, client);
    if (this.known.size > this.bounds.kept) this.forgetOne();
    return client;
  }

  /** Work of the client starts or waits: until `end` the client counts as engaged. */
  begin(client: Client): void {
    if (!client.isEngaged) {
      this.reachedMs = Math.max(this.reachedMs, this.lowestMs());
      this.engaged.add(client);
    }
    client.engage(this.reachedMs - this.bounds.creditMs);
  }

  end(client: Client): void {
    client.disengage();
    if (client.isEngaged) return;
    this.engaged.delete(client);
    // A client that is alone advances the scale: a later client has no claim to capacity that was free.
    if (this.engaged.size === 0) this.reachedMs = Math.max(this.reachedMs, client.usageMs);
  }

  private lowestMs(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const { usageMs } of this.engaged) if (usageMs < lowest) lowest = usageMs;
    return this.engaged.size === 0 ? 0 : lowest;
  }

  private forgetOne(): void {
    for (const [name, client] of this.known) {
      if (client.isEngaged) continue;
      this.known.delete(name);
      return;
    }
  }
}

/** One scale per process, because all clients share one event loop. */
export const clients = new Clients();
