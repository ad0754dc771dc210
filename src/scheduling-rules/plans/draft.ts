// A plan in the making: moves that the cloud accepts one after the other. Each claims its target before it releases its
// source, so every prefix of a draft is a state that the scheduler accepts.
import type { DraftMove, PlanAsk, PlanLimits } from './plan';
import type { PlanCloud, PlanInstance } from './plan-cloud';

/** An answer of the scheduler serves so many placements of equal instances: the order of the hosts changes little. */
const PLACEMENTS_PER_ANSWER = 8;

export class Draft {
  readonly moves: DraftMove[] = [];
  private readonly undoing: (() => void)[] = [];
  /** Hosts that this plan must not use as targets. */
  private readonly barred: ReadonlySet<number>;
  private readonly keys = new Map<string, number>();
  private readonly keyByInstance: number[] = [];
  private readonly amountsByKey: (readonly number[])[] = [];
  /** By host and key: the departures at the time of the refusal. Arrivals cannot make a refused host fit. */
  private readonly refusals: readonly Map<number, number>[];
  private readonly departuresFrom: number[];
  private readonly lastRefusalBy: number[];
  /** By host; equal numbers: the host has the same content. */
  readonly versions: number[];
  private readonly answers = new Map<number, { readonly hosts: number[]; left: number }>();
  private changes = 0;
  /** A number for the state that the draft is in: equal numbers, equal states. */
  state = 0;

  constructor(
    readonly cloud: PlanCloud,
    readonly ask: Omit<PlanAsk, 'goal'>,
    readonly limits: PlanLimits,
    drained: readonly number[],
  ) {
    const closed = [...cloud.hosts.keys()].filter((host) => cloud.hosts[host]?.closed !== null);
    this.barred = new Set([...ask.untouched, ...closed, ...drained]);
    this.refusals = cloud.hosts.map(() => new Map());
    this.departuresFrom = cloud.hosts.map(() => 0);
    this.lastRefusalBy = cloud.hosts.map(() => -1);
    this.versions = cloud.hosts.map(() => 0);
  }

  isTarget(host: number): boolean {
    return !this.barred.has(host);
  }

  /** Moves that the bound of the ask still allows. */
  get movesLeft(): number {
    return (this.ask.maxMoves ?? Infinity) - this.moves.length;
  }

  instance(instance: number): PlanInstance {
    return this.cloud.instances[instance] as PlanInstance;
  }

  /** Equal numbers from 0: equal to the scheduler, server groups included. */
  keyOf(instance: number): number {
    return (this.keyByInstance[instance] ??= this.numberOf(this.instance(instance)));
  }

  private numberOf({ requestKey, groupUuid }: PlanInstance): number {
    const text = `${groupUuid ?? ''} ${requestKey}`;
    const key = this.keys.get(text) ?? this.keys.size;
    this.keys.set(text, key);
    return key;
  }

  /** Its amounts by column. */
  amountsOf(instance: number): readonly number[] {
    const key = this.keyOf(instance);
    const { resources } = this.cloud;
    return (this.amountsByKey[key] ??= resources.map((resource) => this.instance(instance).amounts[resource] ?? 0));
  }

  movableOn(host: number): number[] {
    if (this.ask.untouched.has(host)) return [];
    const { staying } = this.ask;
    return this.cloud.instancesOn(host).filter((each) => !staying.has(each) && this.instance(each).fixed === null);
  }

  /**
   * By sums over the host's tree: false means that the host has no room; true means that it is worth a question. A class
   * without any capacity in the tree can be that of a shared provider.
   */
  hasRoom(instance: number, host: number): boolean {
    const { capacity, used } = this.cloud;
    const amounts = this.amountsOf(instance);
    return amounts.every((amount, column) => {
      const at = host * amounts.length + column;
      return amount === 0 || capacity[at] === 0 || (used[at] as number) + amount <= (capacity[at] as number);
    });
  }

  isRefused(instance: number, host: number): boolean {
    return this.refusals[host]?.get(this.keyOf(instance)) === this.departuresFrom[host];
  }

  /** Claims the target, then releases the source. False, and nothing changes, if the target does not fit. */
  async move(instance: number, target: number, reason: string): Promise<boolean> {
    const source = this.cloud.hostOf(instance);
    const mark = this.cloud.mark();
    if (source === null || source === target || this.movesLeft < 1) return false;
    if (!this.isTarget(target) || this.isRefused(instance, target)) return false;
    if (!(await this.cloud.claim(instance, target))) {
      this.refuse(instance, target);
      return false;
    }
    this.cloud.release(instance);
    const { departuresFrom, versions, state } = this;
    const [departures, from, to] = [departuresFrom[source] ?? 0, versions[source] ?? 0, versions[target] ?? 0];
    const change = (this.changes += 1);
    this.state = departuresFrom[source] = versions[source] = versions[target] = change;
    this.undoing.push(() => {
      this.cloud.rollback(mark);
      [departuresFrom[source], versions[source], versions[target], this.state] = [departures, from, to, state];
      // A refusal after this arrival can have been for want of the room that is free again.
      if ((this.lastRefusalBy[target] ?? 0) >= change) departuresFrom[target] = this.changes += 1;
    });
    this.moves.push({ instance, source, target, reason });
    return true;
  }

  /** `move` for a target chosen by its sums: a refusal teaches all hosts that do not fit the instance now. */
  async guess(instance: number, target: number, reason: string): Promise<boolean> {
    if (await this.move(instance, target, reason)) return true;
    if (this.movesLeft < 1) return false;
    const fitting = new Set((await this.cloud.targets(instance)).hosts);
    const own = this.cloud.hostOf(instance);
    this.cloud.hosts.forEach((_, host) => {
      if (host !== own && !fitting.has(host)) this.refuse(instance, host);
    });
    return false;
  }

  private refuse(instance: number, host: number): void {
    this.refusals[host]?.set(this.keyOf(instance), this.departuresFrom[host] as number);
    this.lastRefusalBy[host] = this.changes;
  }

  /** Undoes all but the first `count` moves. */
  undo(count: number): void {
    for (const undo of this.undoing.splice(count).toReversed()) undo();
    this.moves.length = count;
  }

  /** Makes these moves only. False: the scheduler judges one of them differently now. */
  async replay(moves: readonly Omit<DraftMove, 'source'>[]): Promise<boolean> {
    const textOf = (of: typeof moves): string => of.map(({ instance, target }) => `${instance} ${target}`).join();
    if (textOf(moves) === textOf(this.moves)) return true;
    this.undo(0);
    for (const { instance, target, reason } of moves) {
      // An instance that is back on its first host makes no move.
      if (this.cloud.hostOf(instance) !== target && !(await this.move(instance, target, reason))) return false;
    }
    return true;
  }

  /** Steps that are all made, or undone. */
  async allOrNone(steps: readonly (() => Promise<boolean>)[]): Promise<boolean> {
    const count = this.moves.length;
    for (const step of steps) {
      if (await step()) continue;
      this.undo(count);
      return false;
    }
    return true;
  }

  /** Moves to the best host by the scheduler's weights that `accepts` allows. */
  async place(instance: number, reason: string, accepts: (host: number) => boolean = () => true): Promise<boolean> {
    for (const isFresh of [false, true]) {
      const { hosts } = await this.answerFor(instance, isFresh);
      for (const [at, host] of hosts.entries()) {
        if (!accepts(host) || !(await this.move(instance, host, reason))) continue;
        hosts.splice(at, 1);
        return true;
      }
    }
    return false;
  }

  private async answerFor(instance: number, isFresh: boolean): Promise<{ readonly hosts: number[] }> {
    const key = this.keyOf(instance);
    const known = this.answers.get(key);
    if (!isFresh && known !== undefined && (known.left -= 1) > 0) return known;
    const { hosts } = await this.cloud.targets(instance);
    const answer = { hosts: [...hosts], left: PLACEMENTS_PER_ANSWER };
    this.answers.set(key, answer);
    return answer;
  }
}
