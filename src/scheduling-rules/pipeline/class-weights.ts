// The weights of the hosts of one request class, and the best of them. While the scales stay, only the hosts that changed
// move in the order. Law: the order and the parts of the weights equal those of `weigherTask`.

import type { Random } from '../../platform/values/random';
import type { HostState } from '../host-state/host-state';
import type { Asking, Kind, Question } from './asking';
import type { IsWorse } from './best-of-many';
import { Ends, inOrder, push, replaceTop } from './best-of-many';
import type { ClassHosts } from './class-hosts';
import type { DriverAnswer, SelectionOptions } from './define-driver';
import { PASSES_SHOWN_IN_FULL, RANKING_KEPT } from './limits';
import { RawColumn } from './raw-column';
import type { HostWeight, KindTerms, Scale } from './run-weighers';
import { ColumnRecord, rankingOf, sameWeight, scaleBetween, scoreOf } from './run-weighers';
import { selectHost } from './select-host';

/** How the first host is drawn. */
export interface Selection extends SelectionOptions {
  readonly random: Random;
  /** Wanted alternates, in the cell of the host. */
  readonly alternates: number;
}

/** Hosts with a weight, all or some. */
interface Survivors {
  readonly count: number;
  readonly positions: () => Uint32Array;
}

interface Ranked extends HostWeight {
  readonly at: number;
}

/** The best hosts of one pass. */
interface Order {
  readonly scales: readonly Scale[];
  /** By position. */
  readonly weights: Float64Array;
  /** Positions, best first; null: weights at their end are almost equal, so only an order of all hosts is right. */
  readonly top: readonly number[] | null;
  /** The weight and the rank of the last one when all were compared: no other unchanged host is before it. */
  readonly floor: number;
  readonly floorRank: number;
  /** Of the names of the hosts. */
  readonly version: number;
}

/** Hosts of an order. Changes can take away some before all are compared again. */
const TOP_KEPT = 2 * RANKING_KEPT;

/** The terms of one weigher by kind. */
interface Terms {
  readonly terms: readonly KindTerms[];
  readonly multipliers: Float64Array;
  /** Null: the kinds differ. */
  readonly only: number | null;
}

export class ClassWeights {
  private readonly kinds: Kind[] = [];
  private readonly kindsOf = new Map<HostState['aggregates'], number[]>();
  private kind = new Uint32Array(0);
  /** Of each weigher; empty: a kind was added. */
  private terms: readonly Terms[] = [];
  private raws: readonly RawColumn[];
  /** Causes of failed weighers, by weigher and position. */
  private errors: readonly Map<number, string>[];
  /** Of the raw values of each weigher over all hosts that passed; null: to be worked out. */
  private ends: (Ends | null)[];
  private order: Order | null = null;
  /** Positions that changed since the order; the value: the host has a weight. */
  private readonly touched = new Map<number, boolean>();
  private weighed = 0;
  private readonly row: Float64Array;

  constructor(
    private readonly weighers: number,
    private readonly hosts: ClassHosts,
  ) {
    const each = Array.from({ length: weighers });
    this.raws = each.map(() => new RawColumn());
    this.errors = each.map(() => new Map());
    this.ends = each.map(() => null);
    this.row = new Float64Array(weighers);
  }

  /** About. */
  get bytes(): number {
    const numbers = this.raws.filter(({ values }) => values !== null).length + (this.order === null ? 0 : 1);
    return this.hosts.size * (4 + 8 * numbers);
  }

  /** For one batch. */
  copy(): ClassWeights {
    const copy = new ClassWeights(this.weighers, this.hosts);
    copy.kinds.push(...this.kinds);
    for (const [aggregates, kinds] of this.kindsOf) copy.kindsOf.set(aggregates, [...kinds]);
    copy.kind = this.kind.slice();
    copy.terms = this.terms;
    copy.raws = this.raws.map((raws) => raws.copy());
    copy.errors = this.errors.map((errors) => new Map(errors));
    copy.weighed = this.weighed;
    return copy;
  }

  /** A host that passed, as the filters left it. */
  set(at: number, state: HostState, asking: Asking): void {
    const { capacity } = this.hosts;
    if (this.kind.length <= at) this.kind = enlarged(this.kind, new Uint32Array(capacity));
    this.kind[at] = this.kindIndex(state, asking);
    asking.weigh(state, this.row, (weigher, cause) => this.errors[weigher]?.set(at, cause));
    for (const [weigher, raws] of this.raws.entries()) {
      const raw = this.row[weigher] as number;
      raws.set(at, raw, capacity);
      this.ends[weigher]?.add(raw);
    }
    this.weighed += 1;
    this.touched.set(at, true);
  }

  /** The host does not pass any more. */
  clear(at: number): void {
    for (const [weigher, ends] of this.ends.entries()) {
      if (ends?.remove(this.raws[weigher]?.get(at) ?? Number.NaN) === false) this.ends[weigher] = null;
    }
    for (const errors of this.errors) errors.delete(at);
    this.weighed -= 1;
    this.touched.set(at, false);
  }

  /** `stateAt`: a host as the filters left it. */
  rank(
    survivors: Survivors,
    { weighers, index }: Question,
    selection: Selection,
    stateAt: (at: number) => HostState,
  ): Omit<DriverAnswer, 'stages'> {
    if (this.terms.length === 0) this.terms = weighers.map((_, weigher) => this.termsOf(weigher));
    const isOfAll = survivors.count === this.weighed;
    const isCompared = survivors.count > 1;
    const scales = weighers.map(({ part }, weigher) => {
      const { low, high } = this.endsOf(survivors, weigher, isOfAll);
      return scaleBetween(low, high, part);
    });
    const shownScales = isCompared ? scales : [];
    const known = isOfAll && this.order !== null ? this.updated(this.order, shownScales) : null;
    const order = known ?? this.ordered(survivors.positions(), shownScales);
    this.order = isOfAll ? order : null;
    this.touched.clear();
    const weighed = (positions: readonly number[]): readonly Ranked[] =>
      positions.map((at) => ({ at, state: stateAt(at), weight: order.weights[at] ?? 0 }));
    const ranking = this.best(order, selection, weighed) ?? rankingOf(weighed([...survivors.positions()]));
    const isShown = isCompared && index < PASSES_SHOWN_IN_FULL;
    const selected = selectHost(ranking, selection, selection.random);
    const records = isShown ? this.records(selected.order.slice(0, RANKING_KEPT), scales, weighers) : [];
    return { weighers: records, ...selected };
  }

  /** The best hosts; null: the selection or the alternates need all. */
  private best(
    { top, weights }: Order,
    { shuffleBestSameWeighedHosts, hostSubsetSize, alternates }: Selection,
    weighed: (positions: readonly number[]) => readonly Ranked[],
  ): readonly Ranked[] | null {
    if (top === null || shuffleBestSameWeighedHosts || hostSubsetSize > RANKING_KEPT) return null;
    const best = isClear(top, weights)
      ? weighed(top.slice(0, RANKING_KEPT))
      : rankingOf(weighed(top)).slice(0, RANKING_KEPT);
    if (alternates === 0 || this.kinds.every(({ cell }) => cell === this.kinds[0]?.cell)) return best;
    const cells = new Map<string | null, number>();
    for (const { state } of best) cells.set(state.cell, (cells.get(state.cell) ?? 0) + 1);
    return [...cells.values()].every((hosts) => hosts > alternates) ? best : null;
  }

  private termsOf(weigher: number): Terms {
    const terms = this.kinds.map((kind) => kind.terms[weigher] as KindTerms);
    const multipliers = Float64Array.from(terms, ({ multiplier }) => multiplier);
    const [first = 0] = multipliers;
    return { terms, multipliers, only: multipliers.every((each) => each === first) ? first : null };
  }

  private endsOf({ positions }: Survivors, weigher: number, isOfAll: boolean): Ends {
    const known = isOfAll ? this.ends[weigher] : null;
    if (known) return known;
    const ends = new Ends(this.raws[weigher] as RawColumn, positions());
    if (isOfAll) this.ends[weigher] = ends;
    return ends;
  }

  /** The weight of every host, by the same sums as of `weigherTask`, and the best hosts. */
  private ordered(survivors: Uint32Array, scales: readonly Scale[]): Order {
    const weights = new Float64Array(this.hosts.size);
    for (const [weigher, scale] of scales.entries()) this.addScores(weights, survivors, scale, weigher);
    return { scales, weights, version: this.hosts.version, ...this.topOf(survivors, weights) };
  }

  private addScores(weights: Float64Array, survivors: ArrayLike<number>, scale: Scale, weigher: number): void {
    const { kind } = this;
    const { multipliers, only } = this.terms[weigher] as Terms;
    const isFlat = scale.max <= scale.min && (this.errors[weigher]?.size ?? 0) === 0;
    if (isFlat || only === 0) return;
    const { values, alike } = this.raws[weigher] as RawColumn;
    for (let at = 0; at < survivors.length; at += 1) {
      const position = survivors[at] as number;
      const raw = values === null ? alike : (values[position] as number);
      const multiplier = only ?? (multipliers[kind[position] as number] as number);
      weights[position] = (weights[position] as number) + scoreOf(raw, scale, multiplier);
    }
  }

  /** From a heap with the worst of them on top. */
  private topOf(survivors: Uint32Array, weights: Float64Array): Pick<Order, 'top' | 'floor' | 'floorRank'> {
    const isWorse = this.comparison(weights);
    const heap: number[] = [];
    for (const position of survivors) {
      if (heap.length < TOP_KEPT) push(heap, position, isWorse);
      else if (isWorse(heap[0] as number, position)) replaceTop(heap, position, isWorse);
    }
    if (survivors.length <= TOP_KEPT)
      return { top: inOrder(heap, isWorse), floor: Number.NEGATIVE_INFINITY, floorRank: 0 };
    const last = heap[0] as number;
    const floor = weights[last] as number;
    let below = Number.NEGATIVE_INFINITY;
    for (const position of survivors) {
      const weight = weights[position] as number;
      if (weight < floor && weight > below) below = weight;
    }
    const isUnclear = (weight: number): boolean => weight !== floor && sameWeight(weight, floor);
    const isCut = (Number.isFinite(below) && isUnclear(below)) || heap.some((at) => isUnclear(weights[at] as number));
    return { top: isCut ? null : inOrder(heap, isWorse), floor, floorRank: this.hosts.ranks[last] ?? 0 };
  }

  /**
   * The order after some hosts changed; null: it has to be worked out from all. A changed host below the floor is not
   * among the best, and as long as enough are left, no other is either.
   */
  private updated(before: Order, now: readonly Scale[]): Order | null {
    const { scales, weights, top, floor, floorRank, version } = before;
    const isSame = now.every(({ min, max }, at) => scales[at]?.min === min && scales[at].max === max);
    if (!isSame || scales.length !== now.length || top === null || weights.length < this.hosts.size) return null;
    if (this.touched.size > RANKING_KEPT || version !== this.hosts.version) return null;
    const left = top.filter((position) => !this.touched.has(position));
    const changed = [...this.touched].flatMap(([position, isWeighed]) => (isWeighed ? position : []));
    for (const position of changed) weights[position] = 0;
    for (const [weigher, scale] of now.entries()) this.addScores(weights, changed, scale, weigher);
    for (const position of changed) {
      const weight = weights[position] as number;
      if (weight !== floor && Number.isFinite(floor) && sameWeight(weight, floor)) return null;
      if (weight > floor || (weight === floor && (this.hosts.ranks[position] ?? 0) < floorRank)) left.push(position);
    }
    const isWhole = left.length === this.weighed;
    return left.length < RANKING_KEPT && !isWhole ? null : { ...before, top: inOrder(left, this.comparison(weights)) };
  }

  /** By weight, then by name. */
  private comparison(weights: Float64Array): IsWorse {
    const { ranks } = this.hosts;
    return (one, other) => {
      const difference = (weights[one] as number) - (weights[other] as number);
      return difference === 0 ? (ranks[one] as number) > (ranks[other] as number) : difference < 0;
    };
  }

  /** The parts of the weights of these hosts, copied, because the columns change. */
  private records(
    best: readonly Ranked[],
    scales: readonly Scale[],
    weighers: Question['weighers'],
  ): DriverAnswer['weighers'] {
    const hosts = best.map(({ state }) => state);
    const positions = best.map(({ at }) => at);
    const of = positions.map((position) => this.kind[position] ?? 0);
    let known: ReadonlyMap<string, number> | undefined;
    const placeOf = (uuid: string): number | undefined =>
      (known ??= new Map(hosts.map((host, place) => [host.uuid, place]))).get(uuid);
    const kinds = { hosts, of, positionOf: placeOf };
    return weighers.map(({ part: { name } }, weigher) => {
      const column = this.raws[weigher] as RawColumn;
      const raws = new Float64Array(positions.length);
      for (let at = 0; at < positions.length; at += 1) raws[at] = column.get(positions[at] as number);
      const errors = new Map<number, string>();
      for (const [position, cause] of this.errors[weigher] ?? []) {
        const shown = positions.indexOf(position);
        if (shown !== -1) errors.set(shown, cause);
      }
      const { terms } = this.terms[weigher] as Terms;
      return new ColumnRecord({ name, raws, scale: scales[weigher] as Scale, terms, errors }, kinds);
    });
  }

  private kindIndex(state: HostState, asking: Asking): number {
    const alike = this.kindsOf.get(state.aggregates) ?? [];
    const known = alike.find((kind) => this.kinds[kind]?.cell === state.cell);
    if (known !== undefined) return known;
    const index = this.kinds.push(asking.kindOf(state)) - 1;
    this.terms = [];
    this.kindsOf.set(state.aggregates, [...alike, index]);
    return index;
  }
}

/** No weights in this order are different and almost equal, so their order is that of `rankingOf`. */
function isClear(top: readonly number[], weights: Float64Array): boolean {
  for (let at = 1; at < top.length; at += 1) {
    const [before, next] = [weights[top[at - 1] as number] as number, weights[top[at] as number] as number];
    if (before !== next && sameWeight(before, next)) return false;
  }
  return true;
}

export function enlarged<Column extends Uint16Array | Uint32Array | Float64Array>(
  column: Column,
  larger: Column,
): Column {
  larger.set(column);
  return larger;
}
