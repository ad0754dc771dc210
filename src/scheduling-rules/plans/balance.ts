// Evens the use of resource classes over hosts or zones: again and again the move, otherwise the swap, that lowers the
// variance most, between units far above and far below the mean.
import type { Random } from '../../platform/values/random';
import type { Draft } from './draft';

/** What a step looks at: `width` units on either side. */
interface Phase {
  readonly width: number;
  readonly isSwap: boolean;
}
const PHASES: readonly Phase[] = [
  { width: 8, isSwap: false },
  { width: 32, isSwap: false },
  { width: 8, isSwap: true },
];
const HOSTS_OF_A_ZONE = 6;
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
  readonly variance: number;
}

/** Of the uses of a class. */
interface Sums {
  readonly sum: number;
  readonly squares: number;
  readonly units: number;
}

/** The few candidates with the least variance, the best first. */
class Best {
  readonly candidates: Candidate[] = [];
  private readonly ranks: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly factor: () => number,
  ) {}

  isIn(variance: number): boolean {
    return variance < this.limit && (this.ranks.length < MOST_TRIED || variance < (this.ranks.at(-1) as number));
  }

  add(candidate: Candidate): void {
    const rank = candidate.variance * this.factor();
    const after = this.ranks.findIndex((other) => other > rank);
    const at = after < 0 ? this.ranks.length : after;
    this.ranks.splice(at, 0, rank);
    this.candidates.splice(at, 0, candidate);
    if (this.ranks.length > MOST_TRIED) [this.ranks, this.candidates].forEach((list) => list.pop());
  }
}

export class Balance {
  private readonly unitOf: number[];
  private readonly units: readonly (readonly number[])[];
  private readonly columns: readonly number[];
  private readonly capacity: readonly number[][];
  /** By class and unit. */
  private uses: number[][] = [];
  private sums: Sums[] = [];

  constructor(
    private readonly draft: Draft,
    private readonly classes: readonly string[],
    over: 'hosts' | 'zones',
  ) {
    const { cloud } = draft;
    const units = new Map<string, number[]>();
    cloud.hosts.forEach(({ zone }, host) => {
      if (!draft.isTarget(host) || (over === 'zones' && zone === null)) return;
      const unit = over === 'zones' ? (zone as string) : String(host);
      units.set(unit, [...(units.get(unit) ?? []), host]);
    });
    this.units = [...units.values()];
    this.unitOf = cloud.hosts.map(() => -1);
    this.units.forEach((hosts, unit) => hosts.forEach((host) => (this.unitOf[host] = unit)));
    this.columns = classes.map((each) => cloud.resources.indexOf(each)).filter((column) => column >= 0);
    this.capacity = this.columns.map((column) => this.units.map((hosts) => this.sumOf(cloud.capacity, hosts, column)));
  }

  /** The standard deviation over the units in percent points; of several classes, the root of the mean variance. */
  deviation(used: Float64Array = this.draft.cloud.used): number {
    this.read(used);
    return 100 * Math.sqrt(this.varianceWith(0, 0, []) / Math.max(1, this.columns.length));
  }

  /** `spread` above 0: other choices by chance. */
  async run(random: Random, spread: number): Promise<void> {
    const { draft } = this;
    let phase = 0;
    let hasGained = false;
    while (draft.movesLeft > 0 && !draft.limits.isTimeUp()) {
      await draft.limits.pause();
      if (await this.step(PHASES[phase] as Phase, random, spread)) {
        hasGained = true;
        continue;
      }
      phase += 1;
      if (phase < PHASES.length) continue;
      if (!hasGained) return;
      [phase, hasGained] = [0, false];
    }
  }

  /** One move or swap; false: none of this phase evens the use. */
  private async step(phase: Phase, random: Random, spread: number): Promise<boolean> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const candidates = this.best(phase, random, spread);
      if (candidates.length === 0) return false;
      for (const candidate of candidates) {
        // Refused since the comparison; the next round compares others.
        if (this.draft.isRefused(candidate.instance, candidate.target)) continue;
        if (await this.make(candidate)) return true;
      }
      if (phase.isSwap) return false;
    }
    return false;
  }

  private best({ width, isSwap }: Phase, random: Random, spread: number): readonly Candidate[] {
    const most = (this.deviation() - LEAST_GAIN) / 100;
    const best = new Best(Math.max(0, most) ** 2 * this.columns.length, () => 1 + spread * random() * 0.1);
    const below = this.farthest(width, -1);
    for (const source of this.farthest(width, 1)) {
      for (const instance of this.kindsOn(source)) {
        for (const target of below) this.compare(best, isSwap, instance, source, target);
      }
    }
    return best.candidates;
  }

  private compare(best: Best, isSwap: boolean, instance: number, source: number, target: number): void {
    const { draft } = this;
    const amounts = draft.amountsOf(instance);
    if (this.unitOf[source] === this.unitOf[target] || draft.isRefused(instance, target)) return;
    if (!isSwap) {
      const variance = this.varianceWith(source, target, amounts);
      if (best.isIn(variance) && draft.hasRoom(instance, target)) {
        best.add({ instance, other: null, source, target, variance });
      }
      return;
    }
    for (const other of this.kindsOn(target)) {
      const back = draft.amountsOf(other);
      const variance = this.varianceWith(
        source,
        target,
        amounts.map((amount, column) => amount - (back[column] ?? 0)),
      );
      if (best.isIn(variance)) best.add({ instance, other, source, target, variance });
    }
  }

  /** One movable instance of each kind. */
  private kindsOn(host: number): readonly number[] {
    const kinds = new Map<number, number>();
    for (const each of this.draft.movableOn(host)) kinds.set(this.draft.keyOf(each), each);
    return [...kinds.values()];
  }

  /** Hosts of the units farthest above (1) or below (-1) the mean of a class; of a zone, those that are so themselves. */
  private farthest(width: number, sign: 1 | -1): readonly number[] {
    const distances = this.units.map(() => -Infinity);
    this.uses.forEach((uses, at) => {
      const mean = this.meanOf(at);
      uses.forEach((use, unit) => {
        const distance = sign * (use - mean);
        if (distance > (distances[unit] as number)) distances[unit] = distance;
      });
    });
    const units = this.units.map((_, unit) => unit);
    units.sort((one, other) => (distances[other] as number) - (distances[one] as number));
    const useOf = (host: number): number => {
      const { used, capacity } = this.draft.cloud;
      const shares = this.columns.map(
        (column) => this.sumOf(used, [host], column) / this.sumOf(capacity, [host], column),
      );
      return sign * Math.max(...shares);
    };
    return units.slice(0, width).flatMap((unit) => {
      const hosts = this.units[unit] as readonly number[];
      if (hosts.length === 1) return hosts;
      const uses = new Map(hosts.map((host) => [host, useOf(host)]));
      const ordered = hosts.toSorted((one, other) => (uses.get(other) ?? 0) - (uses.get(one) ?? 0));
      return ordered.slice(0, HOSTS_OF_A_ZONE);
    });
  }

  private async make({ instance, other, source, target }: Candidate): Promise<boolean> {
    const { draft } = this;
    const [from, to] = [source, target].map((host) => draft.cloud.hosts[host]?.host);
    const reason = `evens the use of ${this.classes.join(' and ')} between ${from} and ${to}`;
    if (other === null) return draft.guess(instance, target, reason);
    if (draft.movesLeft < 2) return false;
    const there = (): Promise<boolean> => draft.move(instance, target, reason);
    const back = (): Promise<boolean> => draft.move(other, source, reason);
    const aside = (): Promise<boolean> =>
      draft.place(other, `makes room on ${to} for an exchange with ${from}`, (host) => host !== source);
    for (const steps of [
      [there, back],
      [back, there],
      [aside, there, back],
    ]) {
      const point = draft.point();
      let isMade = true;
      for (const step of steps) isMade &&= await step();
      if (isMade) return true;
      draft.undo(point);
    }
    return false;
  }

  private read(used: Float64Array): void {
    this.uses = this.columns.map((column, at) =>
      this.units.map((hosts, unit) => {
        const capacity = this.capacity[at]?.[unit] ?? 0;
        return capacity > 0 ? this.sumOf(used, hosts, column) / capacity : Number.NaN;
      }),
    );
    this.sums = this.uses.map((uses) => {
      let [sum, squares, units] = [0, 0, 0];
      for (const use of uses) {
        if (Number.isNaN(use)) continue;
        sum += use;
        squares += use * use;
        units += 1;
      }
      return { sum, squares, units: Math.max(1, units) };
    });
  }

  private meanOf(at: number): number {
    return (this.sums[at]?.sum ?? 0) / (this.sums[at]?.units ?? 1);
  }

  /** The sum of the classes' variances, if these amounts left the one unit for the other. */
  private varianceWith(source: number, target: number, amounts: readonly number[]): number {
    const from = this.unitOf[source] as number;
    const to = this.unitOf[target] as number;
    let total = 0;
    for (let at = 0; at < this.columns.length; at += 1) {
      let { sum, squares } = this.sums[at] as Sums;
      const { units } = this.sums[at] as Sums;
      const amount = amounts[this.columns[at] as number] ?? 0;
      if (amount !== 0) {
        const [uses, capacity] = [this.uses[at] as number[], this.capacity[at] as number[]];
        const fall = amount / (capacity[from] as number);
        const rise = amount / (capacity[to] as number);
        sum += rise - fall;
        squares += rise * (2 * (uses[to] as number) + rise) - fall * (2 * (uses[from] as number) - fall);
      }
      total += squares / units - (sum / units) ** 2;
    }
    return Math.max(0, total);
  }

  private sumOf(values: Float64Array, hosts: readonly number[], column: number): number {
    const width = this.draft.cloud.resources.length;
    return hosts.reduce((sum, host) => sum + (values[host * width + column] as number), 0);
  }
}
