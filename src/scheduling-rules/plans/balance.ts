// Evens the use of resource classes over hosts or zones: again and again the move, otherwise the swap, that lowers the
// variance most, between units far above and far below the mean.
import type { Random } from '../../platform/values/random';
import type { Draft } from './draft';

/** Units on either side that a step looks at: first few, then more. */
const WIDTHS = [8, 48];
const HOSTS_OF_A_ZONE = 6;
const MOST_TRIED = 8;
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

export class Balance {
  private readonly unitOf: number[];
  private readonly units: readonly (readonly number[])[];
  private readonly columns: readonly number[];
  private readonly capacity: readonly (readonly number[])[];
  /** By class and unit. */
  private uses: number[][] = [];
  private sums: { readonly sum: number; readonly squares: number; readonly units: number }[] = [];

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
    return inPoints(this.variance(), this.columns.length);
  }

  /** `spread` above 0: other choices by chance. */
  async run(random: Random, spread: number): Promise<void> {
    const { draft } = this;
    let deviation = this.deviation();
    while (draft.movesLeft > 0 && !draft.limits.isTimeUp()) {
      await draft.limits.pause();
      const isMade =
        (await this.step(false, deviation, random, spread)) || (await this.step(true, deviation, random, spread));
      if (!isMade) return;
      deviation = this.deviation();
    }
  }

  private async step(isSwap: boolean, deviation: number, random: Random, spread: number): Promise<boolean> {
    for (const width of isSwap ? WIDTHS.slice(0, 1) : WIDTHS) {
      const found = this.candidates(width, isSwap).filter(
        ({ variance }) => inPoints(variance, this.columns.length) < deviation - LEAST_GAIN,
      );
      const ranked = found.map((candidate) => ({
        candidate,
        rank: candidate.variance * (1 + spread * random() * 0.1),
      }));
      let tried = 0;
      for (const { candidate } of ranked.toSorted((one, other) => one.rank - other.rank)) {
        if (this.draft.isRefused(candidate.instance, candidate.target)) continue;
        if (await this.make(candidate)) return true;
        tried += 1;
        if (tried === MOST_TRIED) break;
      }
    }
    return false;
  }

  private candidates(width: number, isSwap: boolean): Candidate[] {
    const { draft } = this;
    const above = this.farthest(width, 1);
    const below = this.farthest(width, -1);
    const found: Candidate[] = [];
    for (const source of above) {
      for (const instance of this.kindsOn(source)) {
        for (const target of below) {
          if (this.unitOf[source] === this.unitOf[target]) continue;
          const amounts = draft.amountsOf(instance);
          if (!isSwap) {
            if (!draft.hasRoom(instance, target)) continue;
            found.push({ instance, other: null, source, target, variance: this.varianceWith(source, target, amounts) });
            continue;
          }
          for (const other of this.kindsOn(target)) {
            const back = draft.amountsOf(other);
            const net = amounts.map((amount, column) => amount - (back[column] as number));
            found.push({ instance, other, source, target, variance: this.varianceWith(source, target, net) });
          }
        }
      }
    }
    return found;
  }

  /** One movable instance of each kind. */
  private kindsOn(host: number): readonly number[] {
    const kinds = new Map<number, number>();
    for (const each of this.draft.movableOn(host)) kinds.set(this.draft.keyOf(each), each);
    return [...kinds.values()];
  }

  /** Hosts of the units farthest above (1) or below (-1) the mean of a class; of a zone, those that are so themselves. */
  private farthest(width: number, sign: 1 | -1): readonly number[] {
    const distances = this.units.map((_, unit) =>
      Math.max(...this.columns.map((_column, at) => sign * ((this.uses[at]?.[unit] ?? 0) - this.meanOf(at)))),
    );
    const units = this.units.map((_, unit) => unit).filter((unit) => (distances[unit] as number) > 0);
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
      return hosts.toSorted((one, other) => useOf(other) - useOf(one)).slice(0, HOSTS_OF_A_ZONE);
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

  /** The sum of the classes' variances, after changes of sum and squares. */
  private variance(changes: (at: number) => readonly [number, number] = () => [0, 0]): number {
    let total = 0;
    this.sums.forEach(({ sum, squares, units }, at) => {
      const [sumBy, squaresBy] = changes(at);
      total += (squares + squaresBy) / units - ((sum + sumBy) / units) ** 2;
    });
    return Math.max(0, total);
  }

  private varianceWith(source: number, target: number, amounts: readonly number[]): number {
    const [from, to] = [this.unitOf[source] as number, this.unitOf[target] as number];
    return this.variance((at) => {
      const amount = amounts[this.columns[at] as number] as number;
      if (amount === 0) return [0, 0];
      let [sumBy, squaresBy] = [0, 0];
      for (const [unit, sign] of [
        [from, -1],
        [to, 1],
      ] as const) {
        const before = this.uses[at]?.[unit] ?? 0;
        const after = before + (sign * amount) / (this.capacity[at]?.[unit] ?? 1);
        sumBy += after - before;
        squaresBy += after * after - before * before;
      }
      return [sumBy, squaresBy];
    });
  }

  private sumOf(values: Float64Array, hosts: readonly number[], column: number): number {
    const width = this.draft.cloud.resources.length;
    return hosts.reduce((sum, host) => sum + (values[host * width + column] as number), 0);
  }
}

const inPoints = (variance: number, classes: number): number => 100 * Math.sqrt(variance / Math.max(1, classes));
