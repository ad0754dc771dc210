// A plan in the making: moves that the cloud accepts one after the other. Each claims its target before it releases its
// source, so every prefix of a draft is a state that the scheduler accepts.
import type { PlanAsk, PlanLimits } from './plan';
import type { PlanCloud, PlanInstance } from './plan-cloud';

export interface DraftMove {
  readonly instance: number;
  readonly source: number;
  readonly target: number;
  readonly reason: string;
}

/** A state of the draft to return to. */
export interface DraftPoint {
  readonly length: number;
  readonly cloudMark: number;
}

interface LoggedMove extends DraftMove {
  /** Of the source, of source and target, and of the draft, before. */
  readonly departures: number;
  readonly versions: readonly [number, number];
  readonly stateBefore: number;
  readonly state: number;
}

/** An answer of the scheduler serves so many placements of equal instances: the order of the hosts changes little. */
const PLACEMENTS_PER_ANSWER = 8;

export class Draft {
  /** Hosts that this plan must not use as targets. */
  private readonly barred: Set<number>;
  private readonly log: LoggedMove[] = [];
  private readonly keys = new Map<string, number>();
  private readonly keyByInstance: number[] = [];
  private readonly amountsByKey: (readonly number[])[] = [];
  /** By key and host: the departures at the time of the refusal. Arrivals cannot make a refused host fit. */
  private readonly refusals = new Map<number, number>();
  private readonly departuresFrom: number[];
  private readonly lastRefusalBy: number[];
  private readonly changedAt: number[];
  private readonly answers = new Map<number, { hosts: number[]; left: number }>();
  private changes = 0;
  /** A number for the state that the draft is in: equal numbers, equal states. */
  state = 0;

  constructor(
    readonly cloud: PlanCloud,
    readonly ask: Omit<PlanAsk, 'goal'>,
    readonly limits: PlanLimits,
  ) {
    this.barred = new Set(ask.untouched);
    cloud.hosts.forEach(({ closed }, host) => closed !== null && this.barred.add(host));
    this.departuresFrom = cloud.hosts.map(() => 0);
    this.lastRefusalBy = cloud.hosts.map(() => -1);
    this.changedAt = cloud.hosts.map(() => 0);
  }

  close(host: number): void {
    this.barred.add(host);
    this.cloud.close(host);
  }

  isTarget(host: number): boolean {
    return !this.barred.has(host);
  }

  get moves(): readonly DraftMove[] {
    return this.log.map(({ instance, source, target, reason }) => ({ instance, source, target, reason }));
  }

  /** From here on. */
  movesSince({ length }: DraftPoint): readonly DraftMove[] {
    return this.moves.slice(length);
  }

  /** Moves that the bound of the ask still allows. */
  get movesLeft(): number {
    return (this.ask.maxMoves ?? Infinity) - this.log.length;
  }

  /** Equal numbers: the host has the same content. */
  versionOf(host: number): number {
    return this.changedAt[host] as number;
  }

  instance(instance: number): PlanInstance {
    return this.cloud.instances[instance] as PlanInstance;
  }

  /** Equal numbers from 0: equal to the scheduler, server groups included. */
  keyOf(instance: number): number {
    const known = this.keyByInstance[instance];
    if (known !== undefined) return known;
    const { requestKey, groupUuid } = this.instance(instance);
    const text = `${groupUuid ?? ''} ${requestKey}`;
    const key = this.keys.get(text) ?? this.keys.size;
    this.keys.set(text, key);
    this.keyByInstance[instance] = key;
    return key;
  }

  /** Its amounts by column. */
  amountsOf(instance: number): readonly number[] {
    const key = this.keyOf(instance);
    const known = this.amountsByKey[key];
    if (known !== undefined) return known;
    const { amounts } = this.instance(instance);
    return (this.amountsByKey[key] = this.cloud.resources.map((resource) => amounts[resource] ?? 0));
  }

  isMovable(instance: number): boolean {
    const host = this.cloud.hostOf(instance);
    if (host === null || this.ask.untouched.has(host) || this.ask.staying.has(instance)) return false;
    return this.instance(instance).fixed === null;
  }

  movableOn(host: number): number[] {
    return this.cloud.instancesOn(host).filter((each) => this.isMovable(each));
  }

  /**
   * By sums over the host's tree: false means that the host has no room; true means that it is worth a question. A class
   * without any capacity in the tree can be that of a shared provider.
   */
  hasRoom(instance: number, host: number, used = this.cloud.used): boolean {
    const { capacity } = this.cloud;
    const amounts = this.amountsOf(instance);
    return amounts.every((amount, column) => {
      const at = host * amounts.length + column;
      return amount === 0 || capacity[at] === 0 || (used[at] as number) + amount <= (capacity[at] as number);
    });
  }

  isRefused(instance: number, host: number): boolean {
    return this.refusals.get(this.pairOf(instance, host)) === this.departuresFrom[host];
  }

  /** Claims the target, then releases the source. False, and nothing changes, if the target does not fit. */
  async move(instance: number, target: number, reason: string): Promise<boolean> {
    const source = this.cloud.hostOf(instance);
    if (source === null || source === target || !this.isTarget(target) || this.isRefused(instance, target))
      return false;
    if (this.movesLeft < 1) return false;
    if (!(await this.cloud.claim(instance, target))) {
      this.refusals.set(this.pairOf(instance, target), this.departuresFrom[target] as number);
      this.lastRefusalBy[target] = this.changes;
      return false;
    }
    const departures = this.departuresFrom[source] as number;
    const stateBefore = this.state;
    const versions = [this.versionOf(source), this.versionOf(target)] as const;
    this.state = this.changes += 1;
    this.log.push({ instance, source, target, reason, departures, versions, stateBefore, state: this.state });
    this.cloud.release(instance);
    this.departuresFrom[source] = this.changes;
    this.changedAt[source] = this.changes;
    this.changedAt[target] = this.changes;
    return true;
  }

  /** `move` for a target chosen by its sums: a refusal teaches all hosts that do not fit the instance now. */
  async guess(instance: number, target: number, reason: string): Promise<boolean> {
    if (await this.move(instance, target, reason)) return true;
    if (this.movesLeft < 1) return false;
    const fitting = new Set((await this.cloud.targets(instance)).hosts);
    const own = this.cloud.hostOf(instance);
    this.cloud.hosts.forEach((_, host) => {
      if (host === own || fitting.has(host)) return;
      this.refusals.set(this.pairOf(instance, host), this.departuresFrom[host] as number);
      this.lastRefusalBy[host] = this.changes;
    });
    return false;
  }

  point(): DraftPoint {
    return { length: this.log.length, cloudMark: this.cloud.mark() };
  }

  undo({ length, cloudMark }: DraftPoint): void {
    this.cloud.rollback(cloudMark);
    for (const { source, target, departures, versions, stateBefore, state } of this.log.splice(length).toReversed()) {
      this.departuresFrom[source] = departures;
      // A refusal after this arrival can have been for want of the room that is free again.
      if ((this.lastRefusalBy[target] as number) >= state) this.departuresFrom[target] = this.changes += 1;
      this.state = stateBefore;
      [this.changedAt[source], this.changedAt[target]] = versions;
    }
  }

  /** Steps that are all made, or undone. */
  async allOrNone(steps: readonly (() => Promise<boolean>)[]): Promise<boolean> {
    const point = this.point();
    for (const step of steps) {
      if (await step()) continue;
      this.undo(point);
      return false;
    }
    return true;
  }

  /** Moves to the best host by the scheduler's weights that `accepts` allows. */
  async place(instance: number, reason: string, accepts: (host: number) => boolean = () => true): Promise<boolean> {
    for (const isFresh of [false, true]) {
      const answer = await this.answerFor(instance, isFresh);
      for (const host of answer) {
        if (!accepts(host) || !(await this.move(instance, host, reason))) continue;
        answer.splice(answer.indexOf(host), 1);
        return true;
      }
      if (this.movesLeft < 1) return false;
    }
    return false;
  }

  private async answerFor(instance: number, isFresh: boolean): Promise<number[]> {
    const key = this.keyOf(instance);
    const known = this.answers.get(key);
    if (!isFresh && known !== undefined && (known.left -= 1) > 0) return known.hosts;
    const { hosts } = await this.cloud.targets(instance);
    const answer = { hosts: [...hosts], left: PLACEMENTS_PER_ANSWER };
    this.answers.set(key, answer);
    return answer.hosts;
  }

  private pairOf(instance: number, host: number): number {
    return this.keyOf(instance) * this.cloud.hosts.length + host;
  }
}
