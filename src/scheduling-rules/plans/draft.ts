import type { PlanCloud, PlanInstance } from './plan-cloud';
// A plan in the making: moves that the cloud accepts one after the other. Each claims its target before it releases its
// source, so every prefix of a draft is a state that the scheduler accepts.
import type { PlanAsk, PlanLimits } from './plan';

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

interface LoggedClaim {
  readonly instance: number;
  /** Null: an added instance, which makes no move. */
  readonly source: number | null;
  readonly target: number;
  readonly reason: string;
  /** Of the source and of the draft, before. */
  readonly departures: number;
  readonly stateBefore: number;
  readonly state: number;
}

/** An answer of the scheduler serves so many placements of equal instances: the order of the hosts changes little. */
const PLACEMENTS_PER_ANSWER = 8;

export class Draft {
  /** Hosts that this plan must not use as targets. */
  private readonly barred: Set<number>;
  private readonly log: LoggedClaim[] = [];
  private readonly keys = new Map<string, number>();
  private readonly keyByInstance: number[] = [];
  /** By key and host: the departures at the time of the refusal. Arrivals cannot make a refused host fit. */
  private readonly refusals = new Map<number, number>();
  private readonly departuresFrom: number[];
  private readonly lastRefusalBy: number[];
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
  }

  close(host: number): void {
    this.barred.add(host);
    this.cloud.close(host);
  }

  isTarget(host: number): boolean {
    return !this.barred.has(host);
  }

  get moves(): readonly DraftMove[] {
    return this.log.flatMap(({ instance, source, target, reason }) =>
      source === null ? [] : { instance, source, target, reason },
    );
  }

  /** Moves that the bound of the ask still allows. */
  get movesLeft(): number {
    return (this.ask.maxMoves ?? Infinity) - this.log.length;
  }

  instance(instance: number): PlanInstance {
    return this.cloud.instances[instance] as PlanInstance;
  }

  /** Equal numbers: equal to the scheduler, server groups included. */
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

  isMovable(instance: number): boolean {
    const host = this.cloud.hostOf(instance);
    if (host === null || this.ask.untouched.has(host) || this.ask.staying.has(instance)) return false;
    return this.instance(instance).fixed === null;
  }

  movableOn(host: number): number[] {
    return this.cloud.instancesOn(host).filter((each) => this.isMovable(each));
  }

  /** By sums over the host's tree: false means that the host has no room; true means that it is worth a question. */
  hasRoom(instance: number, host: number): boolean {
    const { resources, capacity, used } = this.cloud;
    const { amounts } = this.instance(instance);
    return resources.every((resource, column) => {
      const amount = amounts[resource] ?? 0;
      const at = host * resources.length + column;
      return amount === 0 || (used[at] as number) + amount <= (capacity[at] as number);
    });
  }

  isRefused(instance: number, host: number): boolean {
    return this.refusals.get(this.pairOf(instance, host)) === this.departuresFrom[host];
  }

  /** Claims the target, then releases the source. False, and nothing changes, if the target does not fit. */
  async move(instance: number, target: number, reason: string): Promise<boolean> {
    const source = this.cloud.hostOf(instance);
    if (source === target || !this.isTarget(target) || this.isRefused(instance, target)) return false;
    if (source !== null && this.movesLeft < 1) return false;
    if (!(await this.cloud.claim(instance, target))) {
      this.refusals.set(this.pairOf(instance, target), this.departuresFrom[target] as number);
      this.lastRefusalBy[target] = this.changes;
      return false;
    }
    const departures = source === null ? 0 : (this.departuresFrom[source] as number);
    const stateBefore = this.state;
    this.state = this.changes += 1;
    this.log.push({ instance, source, target, reason, departures, stateBefore, state: this.state });
    if (source !== null) {
      this.cloud.release(instance);
      this.departuresFrom[source] = this.changes;
    }
    return true;
  }

  point(): DraftPoint {
    return { length: this.log.length, cloudMark: this.cloud.mark() };
  }

  undo({ length, cloudMark }: DraftPoint): void {
    this.cloud.rollback(cloudMark);
    for (const { source, target, departures, stateBefore, state } of this.log.splice(length).toReversed()) {
      if (source !== null) this.departuresFrom[source] = departures;
      // A refusal after this arrival can have been for want of the room that is free again.
      if ((this.lastRefusalBy[target] as number) >= state) this.departuresFrom[target] = this.changes += 1;
      this.state = stateBefore;
    }
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
