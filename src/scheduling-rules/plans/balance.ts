// Evens the use of resource classes over hosts or zones: again and again the move, otherwise the swap, that lowers the
// variance most, between units far above and far below the mean.
import type { Random } from '../../platform/values/random';
import type { Draft } from './draft';
import { sortedBy } from './sorted-by';

/** Hosts on either side that a step looks at: first few, then more, then for a swap. */
const PHASES = [
  { width: 8, isSwap: false },
  { width: 32, isSwap: false },
  { width: 8, isSwap: true },
];
const MOST_TRIED = 8;
const MOST_ROUNDS = 8;
/** A move that evens less is not worth it; percent points of the deviation. */
const LEAST_GAIN = 0.001;

interface Candidate {
  readonly instance: number;
  /** Null: a move; otherwise it comes in exchange. */
  readonly other: number | null;
  readonly source: number;
  readonly target: number;
  readonly rank: number;
}

/** A class, with values by unit. */
interface ClassUse {
  readonly column: number;
  readonly capacity: readonly number[];
  shares: readonly number[];
  mean: number;
}

export class Balance {
  /** That take instances and have all of the classes. */
  private readonly hosts: readonly number[];
  /** Number of its host or zone, by host. */
  private readonly unitOf: readonly number[];
  private readonly uses: readonly ClassUse[];

  constructor(
    private readonly draft: Draft,
    private readonly classes: readonly string[],
    over: 'hosts' | 'zones',
  ) {
    const { hosts, resources, capacity } = draft.cloud;
    const columns = classes.map((name) => resources.indexOf(name));
    const units = hosts.map(({ zone }, host) => (over === 'hosts' ? String(host) : zone));
    this.hosts = [...hosts.keys()].filter((host) => {
      const isWhole = columns.every((column) => (capacity[host * resources.length + column] ?? 0) > 0);
      return draft.isTarget(host) && units[host] !== null && isWhole;
    });
    const numbers = new Map([...new Set(this.hosts.map((host) => units[host]))].map((unit, at) => [unit, at]));
    this.unitOf = units.map((unit) => numbers.get(unit) ?? 0);
    this.uses = columns.map((column) => ({ column, capacity: this.byUnit(capacity, column), shares: [], mean: 0 }));
  }

  /** The standard deviation over the units in percent points; of several classes, the root of the mean variance. */
  deviation(used = this.draft.cloud.used): number {
    let variance = 0;
    for (const each of this.uses) {
      each.shares = this.byUnit(used, each.column).map((amount, unit) => amount / (each.capacity[unit] as number));
      each.mean = each.shares.reduce((sum, share) => sum + share, 0) / each.shares.length;
      for (const share of each.shares) variance += (share - each.mean) ** 2 / each.shares.length;
    }
    return this.hosts.length === 0 ? 0 : 100 * Math.sqrt(variance / this.uses.length);
  }

  /** `spread` above 0: other choices by chance. */
  async run(random: Random, spread: number): Promise<void> {
    const { draft } = this;
    for (let [failed, phase] = [0, 0]; failed < PHASES.length;) {
      if (draft.movesLeft < 1 || draft.limits.isTimeUp()) return;
      await draft.limits.pause();
      const isMade = await this.step(PHASES[phase] as (typeof PHASES)[number], () => 1 + (spread * random()) / 10);
      failed = isMade ? 0 : failed + 1;
      if (!isMade) phase = (phase + 1) % PHASES.length;
    }
  }

  /** One move or swap; false: none of this phase evens the use. */
  private async step({ width, isSwap }: (typeof PHASES)[number], factor: () => number): Promise<boolean> {
    for (let round = 0; round < (isSwap ? 1 : MOST_ROUNDS); round += 1) {
      const candidates = this.best(width, isSwap, factor);
      if (candidates.length === 0) return false;
      for (const candidate of candidates) {
        // Refused since the comparison: the next round compares others.
        if (this.draft.isRefused(candidate.instance, candidate.target)) continue;
        if (await this.make(candidate)) return true;
      }
    }
    return false;
  }

  /** The few with the least variance, the best first. */
  private best(width: number, isSwap: boolean, factor: () => number): readonly Candidate[] {
    const { draft } = this;
    const now = (this.deviation() / 100) ** 2 * this.uses.length;
    const limit = Math.max(0, (this.deviation() - LEAST_GAIN) / 100) ** 2 * this.uses.length - now;
    const best: Candidate[] = [];
    const compare = (source: number, target: number, instance: number, other: number | null): void => {
      const back = other === null ? [] : draft.amountsOf(other);
      const net = draft.amountsOf(instance).map((amount, column) => amount - (back[column] ?? 0));
      const change = this.changeBy(source, target, net);
      if (change >= limit || (best.length === MOST_TRIED && change >= (best.at(-1)?.rank ?? 0))) return;
      if (other === null && !draft.hasRoom(instance, target)) return;
      best.push({ instance, other, source, target, rank: change * factor() });
      best.sort((one, another) => one.rank - another.rank).splice(MOST_TRIED);
    };
    const targets = this.farthest(width, -1);
    const others = targets.map((target) => (isSwap ? this.kindsOn(target) : [null]));
    for (const source of this.farthest(width, 1)) {
      for (const instance of this.kindsOn(source)) {
        for (const [at, target] of targets.entries()) {
          if (this.unitOf[source] === this.unitOf[target] || draft.isRefused(instance, target)) continue;
          for (const other of others[at] ?? []) compare(source, target, instance, other);
        }
      }
    }
    return best;
  }

  /** One movable instance of each kind. */
  private kindsOn(host: number): readonly number[] {
    return [...new Map(this.draft.movableOn(host).map((each) => [this.draft.keyOf(each), each])).values()];
  }

  /** Hosts of the units farthest above (1) or below (-1) the mean of a class; of a zone, those that are so themselves. */
  private farthest(width: number, sign: 1 | -1): readonly number[] {
    const { capacity, resources, used } = this.draft.cloud;
    const nearness = (host: number): number => {
      let distance = -Infinity;
      for (const { column, shares, mean } of this.uses) {
        const at = host * resources.length + column;
        const own = (used[at] as number) / (capacity[at] as number);
        distance = Math.max(distance, sign * ((shares[this.unitOf[host] as number] as number) - mean + own / 1e3));
      }
      return -distance;
    };
    return sortedBy(this.hosts, nearness).slice(0, width);
  }

  private async make({ instance, other, source, target }: Candidate): Promise<boolean> {
    const { draft } = this;
    const [from, to] = [source, target].map((host) => draft.cloud.hosts[host]?.host);
    const reason = `evens the use of ${this.classes.join(' and ')} between ${from} and ${to}`;
    if (other === null) return draft.guess(instance, target, reason);
    const there = (): Promise<boolean> => draft.move(instance, target, reason);
    const back = (): Promise<boolean> => draft.move(other, source, reason);
    const why = `makes room on ${to} for an exchange with ${from}`;
    const aside = (): Promise<boolean> => draft.place(other, why, (host) => host !== source);
    return (
      (await draft.allOrNone([there, back])) ||
      (await draft.allOrNone([back, there])) ||
      draft.allOrNone([aside, there, back])
    );
  }

  /** Of the sum of the classes' variances, if these amounts left the one host's unit for the other's. */
  private changeBy(source: number, target: number, amounts: readonly number[]): number {
    const [from, to] = [this.unitOf[source] as number, this.unitOf[target] as number];
    let change = 0;
    for (const { column, capacity, shares, mean } of this.uses) {
      const fall = (amounts[column] as number) / (capacity[from] as number);
      const rise = (amounts[column] as number) / (capacity[to] as number);
      const units = shares.length;
      const squares = rise * (2 * (shares[to] as number) + rise) - fall * (2 * (shares[from] as number) - fall);
      change += squares / units - (mean + (rise - fall) / units) ** 2 + mean ** 2;
    }
    return change;
  }

  private byUnit(values: Float64Array, column: number): number[] {
    const sums: number[] = [];
    for (const host of this.hosts) {
      const unit = this.unitOf[host] as number;
      sums[unit] = (sums[unit] ?? 0) + (values[host * this.draft.cloud.resources.length + column] as number);
    }
    return sums;
  }
}
