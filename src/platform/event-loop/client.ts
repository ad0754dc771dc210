// For whom the service works, and how much it has done for each. All clients stand on one scale: whoever has had least is
// served next, and whoever comes back is put a little before those who were served meanwhile, however long it was away.
// Nothing here knows a clock: the scale moves on with the work that is done.

/** A client of the service. Its standing on the scale is in milliseconds of work. */

/** Clients that are remembered: more than can wait. */
const CLIENTS_KEPT = 10_000;
/** Whoever was quiet has so much work done before those have their turn again who were not. */
const CREDIT_MS = 1_000;
export class Client {
  private workMs = 0;
  private engagements = 0;

  /** Where it stands: whoever stands lowest is served next. */
  get standing(): number {
    return this.workMs;
  }

  /** Something of it is under way or waits. */
  get isEngaged(): boolean {
    return this.engagements > 0;
  }

  /** So much was done for it. */
  charge(ms: number): void {
    this.workMs += ms;
  }

  /** Something more of it begins or waits; a client that comes back stands nowhere below `lowestMs`. */
  engage(lowestMs: number): void {
    if (this.engagements === 0) this.workMs = Math.max(this.workMs, lowestMs);
    this.engagements += 1;
  }

  disengage(): void {
    this.engagements -= 1;
  }
}

/** All clients of the process that it remembers. */
export class Clients {
  private readonly known = new Map<string, Client>();
  private readonly engaged = new Set<Client>();
  /** How far the scale has come: where whoever stands lowest of those being served stood at least. */
  private reachedMs = 0;

  constructor(
    private readonly bounds: { readonly kept: number; readonly creditMs: number } = {
      kept: CLIENTS_KEPT,
      creditMs: CREDIT_MS,
    },
  ) {}

  /** How many are remembered. */
  get size(): number {
    return this.known.size;
  }

  /** The client of that name; whoever was not heard of for longest, and has nothing under way, is forgotten for it. */
  of(name: string): Client {
    const client = this.known.get(name) ?? new Client();
    this.known.delete(name);
    this.known.set(name, client);
    if (this.known.size > this.bounds.kept) this.forgetOne();
    return client;
  }

  /** Something of the client begins, or waits: until `end` it counts among those that are served. */
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
    // Whoever is alone moves the scale: nobody who comes later has a claim to what nobody asked for.
    if (this.engaged.size === 0) this.reachedMs = Math.max(this.reachedMs, client.standing);
  }

  private lowestMs(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const { standing } of this.engaged) if (standing < lowest) lowest = standing;
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

/** One scale for the process: it is one event loop that they share. */
export const clients = new Clients();
